import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { changesOf, disagreeing, notesText } from './notes.ts';

const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');

test('the change log has something to say about this version', () => {
  expect(changesOf(changelog, packageJson.version)).toMatch(/^- \S/m);
});

test('the part of a version ends where the next begins, and is not that of a longer number', () => {
  const text = '# Changes\n\n## 1.10.0\n\n- b\n\n## 1.1.0 (2026-01-01)\n\n- a\n\n## 1.0.0\n\n- z\n';
  expect(changesOf(text, '1.1.0')).toBe('- a');
  expect(changesOf(text, '1.10.0')).toBe('- b');
  expect(changesOf(text, '1.1')).toBeUndefined();
});

test('a file with another version is named', () => {
  expect(disagreeing('1.0.0', { a: '1.0.0', b: '0.9.0', c: undefined })).toEqual([
    'b says 0.9.0, package.json 1.0.0',
    'c says nothing, package.json 1.0.0',
  ]);
});

test('the notes name the commit, the digest and whether all of it was committed', () => {
  const made = {
    name: 'touchstone',
    version: '1.0.0',
    file: 'touchstone-1.0.0.tgz',
    bytes: 5,
    sha256: 'abc',
    integrity: 'sha512-x',
    commit: 'c0ffee',
    date: '2026-01-01T00:00:00Z',
    clean: true,
    node: '24.0.0',
    npm: '11.0.0',
    rules: { version: '1', specification: 'def' },
    files: ['a'],
  };
  expect(notesText(made)).toContain('| commit | c0ffee |');
  expect(notesText({ ...made, clean: false })).toContain('| commit | c0ffee, with changes that are in no commit |');
  expect(notesText(made)).toContain('sha256sum --check touchstone-1.0.0.tgz.sha256');
});
