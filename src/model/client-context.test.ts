/** What sets contexts apart is named only if nothing speaks against it. */
import { expect, test } from 'vitest';
import { type ClientContext, describeClientContext, whatSetsApart } from './client-context.ts';

const at = (
  key: ClientContext['key'],
  connection: ClientContext['connection'],
  ...deviations: NonNullable<ClientContext['deviations']>
): ClientContext => ({ key, connection, ...(deviations.length === 0 ? {} : { deviations }) });

test('a value that all failures have, and nothing that passed, is the context', () => {
  expect(whatSetsApart([at('live', 'kept', 'large')], [at('live', 'kept')])).toBe('when the answer is long');
  expect(whatSetsApart([at('test', 'kept'), at('test', 'fresh')], [at('live', 'kept'), at('live', 'fresh')])).toBe(
    'with a test key',
  );
  expect(whatSetsApart([at('live', 'fresh')], [at('live', 'kept'), at('test', 'kept', 'among')])).toBe(
    'on connections that close after each answer',
  );
  expect(whatSetsApart([at('live', 'kept')], [at('live', 'kept', 'repeated')])).toBe('when no call is repeated');
});

test('where no one value does, none is named', () => {
  expect(whatSetsApart([at('test', 'kept')], [at('test', 'fresh'), at('live', 'kept')])).toBeUndefined();
  expect(whatSetsApart([at('test', 'kept')], [])).toBeUndefined();
  expect(whatSetsApart([], [at('test', 'kept')])).toBeUndefined();
});

test('a timeline names all of a context', () => {
  expect(describeClientContext(at('test', 'fresh', 'repeated', 'large'))).toBe(
    'with a test key on connections that close after each answer, when a call is repeated after a 429, when the answer is long',
  );
});
