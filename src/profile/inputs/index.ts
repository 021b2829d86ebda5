/** Inputs from a JSON Schema. Import it only where inputs are needed (`await import(…)`): ajv takes its time to load. */
export { type FoundSchema, findSchema } from './find-schema.ts';
export { mutantsOf } from './mutants.ts';
export { type Examined, examineSchema, isValidSchema } from './prepare.ts';
export { validInputs, violationsOf } from './valid.ts';
