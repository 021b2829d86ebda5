import { expect, it } from 'vitest';
import { parseProfile } from './parse.ts';

it('an actor stands in a role once: of a second input nobody would hear', () => {
  const text = [
    'address: http://127.0.0.1:1',
    'actors:',
    '  clean: [{ name: words, input: { a: 1 } }, { name: words, input: { a: 2 } }]',
    '  crashing: { name: words, input: { crash: true } }',
  ].join('\n');
  const read = () => parseProfile(text, { source: 'p.yaml', env: {}, readFile: () => '' });
  expect(read).toThrow(/p\.yaml:3:\d+: actors\.clean\[1\]\.name: is in this role already/);
});
