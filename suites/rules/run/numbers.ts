/** What becomes of numbers that no double holds. JSON bounds neither their size nor their digits; services do. */
import {
  ExactNumber,
  type Exchange,
  isObject,
  type Json,
  member,
  observation,
  succeeded,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';

const sent = ['9007199254740993', '0.100000000000000000000000000001', '1e400'].map((digits) => new ExactNumber(digits));

export const largeNumbers = observation({
  id: 'run.large-numbers',
  clause: clauses.numbersNotShown,
  needs: ['key', 'echo'],
  actor: 'echo',
  without: everything,
  async ask({ run, actor }) {
    const input = isObject(actor.input) ? actor.input : {};
    return { exchange: await run({ input: { ...input, unlisted_numbers: sent } }) };
  },
  observe: ({ exchange }) => [inOneLine(exchange)],
  fix: 'Nothing to fix: the specification leaves open how many digits of a number a service keeps.',
});

function inOneLine(exchange: Exchange): string {
  if (!succeeded(exchange)) return `an input with numbers of many digits is answered ${whatCame(exchange)}`;
  const came = numbersIn(member(exchange, 'items') ?? null);
  const said = sent.map(({ decimal, digits }) => {
    if (came.some((each) => each instanceof ExactNumber && each.decimal === decimal)) return `${digits} is kept`;
    return came.includes(Number(digits)) ? `${digits} is rounded` : undefined;
  });
  const known = said.filter((each) => each !== undefined);
  return known.length === 0 ? 'numbers of many digits are accepted, and not shown again' : known.join(', ');
}

function numbersIn(value: Json): (number | ExactNumber)[] {
  if (typeof value === 'number' || value instanceof ExactNumber) return [value];
  if (Array.isArray(value)) return value.flatMap(numbersIn);
  return isObject(value) ? Object.values(value).flatMap(numbersIn) : [];
}
