/** The same input with other choices: where a field takes one of several values, another one of them. ajv confirms them. */
import type { Json } from '../../model/json.ts';
import { fillPlausibly, holdsTemplate } from '../templates.ts';
import { type Place, places, type Steps, withValue } from './places.ts';
import { prepare } from './prepare.ts';

/** Runs are dear: the first others of all fields together, the second ones, and so on. */
const enough = 3;

/** In all fields at once; none where no field has a choice. */
export function chosenIn(schema: Json, valid: Json): readonly Json[] {
  const prepared = prepare(schema);
  if (!prepared.usable) return [];
  const isValid = (input: Json): boolean => prepared.validate(fillPlausibly(input))?.length === 0;
  if (!isValid(valid)) return [];
  const fields = [...places(prepared.root, valid)].flatMap(choicesAt);
  const found: Json[] = [];
  for (let turn = 0; turn < enough; turn += 1) {
    let changed = valid;
    for (const { path, others } of fields) {
      const put = others[Math.min(turn, others.length - 1)];
      const next = withValue(changed, path, put);
      if (isValid(next)) changed = next;
    }
    const text = JSON.stringify(changed);
    if ([valid, ...found].every((each) => JSON.stringify(each) !== text)) found.push(changed);
  }
  return found;
}

interface Choice {
  readonly path: Steps;
  readonly others: readonly Json[];
}

/** Choices about failures: who chooses that they are ignored, or end the run, gets what it chose. */
const aboutFailures = /err|fail|partial|strict|ignor|skip|toler|abort|stop|fall|cache|stale|retr|dry|optional/i;

function choicesAt({ schemas, value, path }: Place): readonly Choice[] {
  if (path.some((step) => typeof step === 'number') || value === undefined || holdsTemplate(value)) return [];
  if (path.some((step) => aboutFailures.test(String(step)))) return [];
  const listed = schemas.flatMap(({ enum: values }) => (Array.isArray(values) ? (values as readonly Json[]) : []));
  const others =
    typeof value === 'boolean'
      ? [!value]
      : listed.filter((each) => each !== value && each !== null && !aboutFailures.test(String(each)));
  return others.length === 0 || typeof value === 'object' ? [] : [{ path, others }];
}
