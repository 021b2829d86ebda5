/** Where an answer ends on its connection. */
import { sweep, violation } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';

export const endsWhereItSays = sweep({
  id: 'run.ends-where-it-says',
  clause: clauses.answersEndWhereTheySay,
  needs: ['key'],
  passing: 'bytes after the end of an answer are neither passed on nor checked',
  provoke: ({ verify, line }) => verify({ on: line() }),
  includes: (exchange) => exchange.response !== undefined,
  judge: (exchange) =>
    exchange.response?.surplus === undefined
      ? []
      : [
          violation(
            exchange,
            'an answer that ends where its head says',
            `${exchange.response.surplus} bytes more, which a client that keeps the connection reads as the next answer`,
          ),
        ],
  fix: 'Send each answer once, with the Content-Length of the bytes that are sent.',
});
