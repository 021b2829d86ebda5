/** Answers that readers do not agree on, or do not see: what JSON and HTTP advise against because of that. */
import {
  ambiguousMembers,
  type Exchange,
  kindOf,
  member,
  readTree,
  sweep,
  violation,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { hasBodyByRight, holdsObject, isAdmin, isError } from '../../language/answers.ts';

const textOf = ({ response }: Exchange): string => response?.body.text ?? '';

const byteOrderMark = 0xfeff;

export const noByteOrderMark = sweep({
  id: 'error.no-byte-order-mark',
  clause: clauses.jsonHasNoMark,
  needs: ['key'],
  provoke: ({ verify }) => verify(),
  includes: (exchange, scene) => hasBodyByRight(exchange, scene) && holdsObject(exchange),
  judge: (exchange) =>
    textOf(exchange).charCodeAt(0) === byteOrderMark
      ? [violation(exchange, 'JSON without a byte order mark', 'U+FEFF before it')]
      : [],
  fix: 'Write JSON as UTF-8 without a byte order mark: many parsers stop at it.',
});

/** What is longer is nobody's record, and reading it twice would take its time. */
const longest = 256 * 1024;

export const membersOnce = sweep({
  id: 'error.members-once',
  clause: clauses.membersAreUnique,
  needs: ['key'],
  provoke: ({ verify }) => verify(),
  includes: (exchange, scene) =>
    hasBodyByRight(exchange, scene) && holdsObject(exchange) && textOf(exchange).length <= longest,
  judge(exchange) {
    const [first] = ambiguousMembers(readTree(textOf(exchange).replace(/^\ufeff/, '')));
    return first === undefined
      ? []
      : [violation(exchange, 'each member once', `${first} twice, with different values`)];
  },
  fix: 'Write each member of an object once: of two, one parser uses the first and another the last.',
});

/** Marks of no width, blanks, what steers a terminal: nothing that anybody sees. */
const unseen = /^[\p{C}\p{Z}\u115f\u1160\u3164\uffa0\u2800\p{Mn}]*$/u;

export const textCanBeSeen = sweep({
  id: 'error.text-can-be-seen',
  clause: clauses.textsAreForPeople,
  needs: ['key'],
  provoke: ({ verify }) => verify({ key: null }),
  includes: (exchange, scene) =>
    isError(exchange) && hasBodyByRight(exchange, scene) && !isAdmin(exchange) && holdsObject(exchange),
  judge: (exchange) =>
    ['error', 'detail'].flatMap((name) => {
      const value = member(exchange, name);
      return typeof value === 'string' && value.trim() !== '' && unseen.test(value)
        ? [violation(exchange, `\`${name}\`, a text that can be seen`, kindOf(value))]
        : [];
    }),
  fix: 'Explain the error in `error` and `detail`: invisible characters are no explanation.',
});
