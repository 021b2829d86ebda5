import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import type { Exchange, Run } from '../src/vocabulary.ts';
import { harReport } from './har.ts';
import { hostileRun } from './html/testing.ts';
import { exchange, sampleRun } from './testing.ts';

const require = createRequire(import.meta.url);
const folder = join(dirname(require.resolve('har-schema/package.json')), 'lib');
const ajv = new Ajv({ strict: false, allErrors: true });
(formats as unknown as (ajv: Ajv) => void)(ajv);
ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json'));
for (const file of readdirSync(folder).filter((each) => each.endsWith('.json')))
  ajv.addSchema(JSON.parse(readFileSync(join(folder, file), 'utf8')));
const validate = ajv.getSchema('har.json#')!;

const read = (run: Run) => {
  const har = JSON.parse(harReport(run));
  expect(validate(har), JSON.stringify(validate.errors?.slice(0, 5))).toBe(true);
  return har.log;
};
const withExchanges = (...all: Exchange[]): Run => ({
  ...sampleRun,
  exchanges: new Map(all.map((each) => [each.id, each])),
});

test('it is what the schema of HAR 1.2 says, with the rules that rest on each exchange', () => {
  const log = read(sampleRun);
  expect(log).toMatchObject({ version: '1.2', creator: { name: 'Touchstone', version: '0.1.0' } });
  expect(log.entries).toHaveLength(2);
  expect(log.entries[1]).toMatchObject({
    startedDateTime: '2026-11-20T21:00:00.010Z',
    time: 12.5,
    timings: { wait: 10, receive: 2.5 },
    request: { method: 'POST', url: 'http://127.0.0.1:8080/base/v1/actors/echo/run-sync-get-dataset-items' },
    response: { status: 200, statusText: 'OK', httpVersion: 'HTTP/1.1' },
    comment: 'auth.run-with-invalid-key',
  });
  // Secrets are names, as the recorder wrote them.
  expect(log.entries[1].request.headers).toContainEqual({ name: 'X-API-Key', value: 'vk_live_«main:truncated»' });
});

test('what failed, what is no text, what was cut, cookies, and a target that is no URL', () => {
  const bytes = { base64: Buffer.from([0xff, 0xfe]).toString('base64'), bytes: 2 };
  const { response: _, ...lost } = exchange(1);
  const [failed, binary] = read(
    withExchanges(
      { ...lost, failure: { kind: 'reset-before-head', says: 'the connection was reset' } },
      exchange(2, {
        request: { ...exchange(2).request, target: '/v1/a b?x=1&y=ü%zz', body: bytes },
        response: {
          status: 201,
          head: 'HTTP/1.1 201 \r\n',
          headers: [
            ['Set-Cookie', 'id=7; HttpOnly'],
            ['Location', '/there'],
          ],
          body: { text: 'x'.repeat(100_000), bytes: 100_000 },
        },
      }),
    ),
  ).entries;
  expect(failed.response).toMatchObject({ status: 0, _error: 'reset-before-head: the connection was reset' });
  expect(binary.request.url).toBe('http://127.0.0.1:8080/v1/a%20b?x=1&y=%C3%BC%25zz');
  expect(binary.request.queryString).toContainEqual({ name: 'x', value: '1' });
  expect(binary.request.postData.comment).toContain('base64');
  expect(binary.response.cookies).toEqual([{ name: 'id', value: '7' }]);
  expect(binary.response.redirectURL).toBe('/there');
  expect(binary.response.content.comment).toContain('the run file has all of it');
  expect(binary.response.content.text.length).toBeLessThan(66_000);
});

test('a hostile service, times that cannot be, and an incomplete run', () => {
  read(hostileRun());
  const odd = exchange(1, { at: { sent: 1e300, connected: -5, head: -1, end: 0 } });
  const { footer: _, ...footless } = withExchanges(odd);
  const log = read(footless);
  expect(log.comment).toContain('no footer');
  expect(log.entries[0].timings).toMatchObject({ wait: 0, receive: 0 });
});
