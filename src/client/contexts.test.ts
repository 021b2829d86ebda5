/** Answers in a context are those of the situation, and no others. */
import { expect, test } from 'vitest';
import { answersIn, limitedFirst } from './contexts.ts';

const result = { status: 200, body: '{"items":[{"id":1},"two"],"status":"PARTIAL"}' };
const error = { status: 422, body: '{"error":"invalid_input"}' };
const page = { status: 200, body: '<html>' };

test('a call that is repeated got a 429 before', () => {
  expect(answersIn(['repeated'], [error])).toEqual([limitedFirst, error]);
  expect(answersIn(undefined, [error])).toEqual([error]);
});

test('a long answer has the same items and the same status, and what is no result stays as it is', () => {
  const [long] = answersIn(['large'], [result]);
  const body = JSON.parse(String(long!.body));
  expect(body.items[0]).toMatchObject({ id: 1, text: expect.stringMatching(/^words/) });
  expect([body.items[1], body.status]).toEqual(['two', 'PARTIAL']);
  expect(String(long!.body).length).toBeGreaterThan(100_000);
  expect(answersIn(['large'], [error, page])).toEqual([error, page]);
});
