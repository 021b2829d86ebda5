import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogue } from '../../suites/index.ts';
import { loadWaivers } from '../library.ts';
import { readWaivers } from './read.ts';
import { waiversSchema, waiversSchemaText } from './schema.ts';

const schemaFile = new URL('../../schema/waivers.json', import.meta.url);
const soon = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
const waiver = {
  rule: 'run.empty-result',
  expectation: 'fail',
  reason: 'known since 1.0',
  owner: 'me@acme',
  expires: soon,
};
const options = { rules: catalogue, today: new Date().toISOString().slice(0, 10) };
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-waivers-'));
  mkdirSync(join(folder, 'project/below'), { recursive: true });
  writeFileSync(join(folder, 'project/touchstone.yaml'), 'address: http://127.0.0.1:1\n');
  writeFileSync(join(folder, 'project/touchstone.waivers.yaml'), JSON.stringify({ waivers: [waiver] }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the file next to the profile is read, in any folder', () => {
  expect(readWaivers({ cwd: join(folder, 'project/below') }, options)).toEqual([waiver]);
  expect(readWaivers({ cwd: folder, profile: 'project/touchstone.yaml' }, options)).toEqual([waiver]);
  expect(readWaivers({ cwd: folder, waivers: 'project/touchstone.waivers.yaml' }, options)).toEqual([waiver]);
  expect(readWaivers({ cwd: folder }, options), 'none is no mistake').toEqual([]);
});

test('one that was named must be there, and be text', () => {
  expect(() => readWaivers({ cwd: folder, waivers: 'none.yaml' }, options)).toThrow(
    'none.yaml: the waivers cannot be read: there is no such file',
  );
  expect(() => readWaivers({ cwd: folder, waivers: 'project' }, options)).toThrow('it is a folder');
  writeFileSync(join(folder, 'latin1.yaml'), Buffer.from('waivers: [] # gr\xfc\xdfe', 'latin1'));
  expect(() => readWaivers({ cwd: folder, waivers: 'latin1.yaml' }, options)).toThrow('it is not UTF-8 text');
  symlinkSync('loop.yaml', join(folder, 'loop.yaml'));
  expect(() => readWaivers({ cwd: folder, waivers: 'loop.yaml' }, options)).toThrow(
    'loop.yaml: the waivers cannot be read',
  );
});

test('the library hands them to a check', () => {
  const { finding } = loadWaivers({ cwd: join(folder, 'project') });
  const failed = { rule: 'run.empty-result', verdict: 'fail' as const, reasons: [], exchanges: [] };
  const { waived } = finding({ ...failed, asked: { contexts: 1, planned: 1, leftOut: [] } });
  expect(waived).toEqual({ reason: 'known since 1.0', owner: 'me@acme', expires: soon });
});

test('schema/waivers.json is current: UPDATE_SCHEMA=1 npx vitest run src/waivers writes it', () => {
  if (process.env.UPDATE_SCHEMA === '1') writeFileSync(schemaFile, waiversSchemaText());
  expect(JSON.parse(readFileSync(schemaFile, 'utf8'))).toEqual(waiversSchema());
  const validate = new Ajv({ strict: false }).compile(waiversSchema() as object);
  expect(validate({ waivers: [waiver] })).toBe(true);
  for (const wrong of [{ waivers: [{ ...waiver, until: 1 }] }, { waivers: [{ ...waiver, expectation: 'error' }] }, {}])
    expect(validate(wrong)).toBe(false);
});
