import { expect, test } from 'vitest';
import type { Run } from '../src/vocabulary.ts';
import { badgeReport, badgeSvgReport } from './badge.ts';
import { sampleRun, sampleWith, waivedRun } from './testing.ts';

const read = (run: Run) => JSON.parse(badgeReport(run));

test('what shields.io reads: green only for what conforms', () => {
  expect(read(sampleRun)).toEqual({
    schemaVersion: 1,
    label: 'actor execution',
    message: 'does not conform, 1 broken',
    color: 'red',
    isError: true,
  });
  expect(read(sampleWith(['auth.run-without-key', 'verify.tier-as-declared']))).toMatchObject({
    message: 'conforms, 1 of 2 tested',
    color: 'brightgreen',
    isError: false,
  });
  const { footer: _, ...footless } = sampleWith(['auth.run-without-key']);
  expect(read(footless)).toMatchObject({ message: 'incomplete', color: 'lightgrey', isError: true });
  expect(read(waivedRun).color).not.toBe('brightgreen');
});

test('the same, drawn', () => {
  const svg = badgeSvgReport(sampleRun);
  expect(svg).toContain('<title>actor execution: does not conform, 1 broken</title>');
  expect(svg).toContain('role="img"');
  expect(svg).not.toMatch(/href|<script|style=/);
  expect(badgeSvgReport(sampleWith(['auth.run-without-key']))).toContain('#1a7f37');
});
