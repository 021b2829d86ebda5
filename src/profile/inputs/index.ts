/** Inputs from a JSON Schema. Import it only where inputs are needed (`await import(…)`): ajv takes its time to load. */
export { admittedBy } from './admitted.ts';
export { chosenIn } from './chosen.ts';
export { findSchema, searchSchema } from './find-schema.ts';
export { mutantsOf } from './mutants.ts';
export { filledIn } from './ordinary.ts';
export { examineSchema } from './prepare.ts';
export { validInputs, violationsOf } from './valid.ts';
export { variantsOf, withTexts } from './variants.ts';
