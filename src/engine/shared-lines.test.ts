import { expect, it } from 'vitest';
import { seeded } from '../random.ts';
import { SharedLines } from './shared-lines.ts';

it('gives each connection a few uses, not always as many, and releases it for the next', () => {
  let names = 0;
  const released: string[] = [];
  const lines = new SharedLines(
    seeded(3),
    () => `line-${++names}`,
    (line) => released.push(line),
  );
  const uses = new Map<string, number>();
  for (let at = 0; at < 500; at += 1) {
    const line = lines.next('company');
    expect(released).not.toContain(line);
    uses.set(line, (uses.get(line) ?? 0) + 1);
  }
  const counts = [...uses.values()].slice(0, -1);
  expect(new Set(counts)).toEqual(new Set([10, 11, 12, 13, 14]));
  expect(released).toEqual([...uses.keys()].slice(0, -1));
});

it('keeps the purposes apart', () => {
  let names = 0;
  const lines = new SharedLines(
    () => 0.99,
    () => `line-${++names}`,
    () => {},
  );
  const [one, other] = [lines.next('company'), lines.next('cleanup')];
  expect(one).not.toBe(other);
  expect([lines.next('company'), lines.next('cleanup')]).toEqual([one, other]);
});
