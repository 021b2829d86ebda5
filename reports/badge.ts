/** A badge: as shields.io reads it from an address (`badge`), and drawn by ourselves for where there is no such address (`badge-svg`). */
import type { Run } from '../src/vocabulary.ts';
import { isLoad } from './measured.ts';
import { type Summary, summaryOf } from './summary.ts';
import { element, text } from './xml.ts';

const label = 'actor execution';

interface Badge {
  readonly message: string;
  readonly color: 'brightgreen' | 'yellow' | 'red' | 'lightgrey';
}

function badgeOf(run: Run): Badge {
  const summary = summaryOf(run);
  const { outcome, counts, waived } = summary;
  const open = counts.untested + counts.inconclusive;
  if (outcome === 'violation') {
    const count = broken(run, summary);
    // Nothing broken: a threshold is missed, or a waiver holds no longer.
    return { message: count > 0 ? `does not conform, ${count} broken` : summary.headline.toLowerCase(), color: 'red' };
  }
  if (outcome !== 'conforms') return { message: outcome, color: 'lightgrey' };
  if (isLoad(run)) return { message: 'load as promised', color: 'brightgreen' };
  const failing = waived.filter(({ finding }) => finding?.verdict === 'fail').length;
  if (failing > 0) return { message: `${failing} waived`, color: 'yellow' };
  // A run of a few rules must not look like one of all.
  const judged = counts.pass + counts.warn;
  const planned = judged + open;
  return {
    message: open > 0 ? `conforms, ${judged} of ${planned} tested` : `conforms, ${judged} tested`,
    color: 'brightgreen',
  };
}

const broken = ({ header }: Run, { counts, waived }: Summary): number => {
  const put = waived.filter(({ finding }) => finding?.verdict === 'fail').length;
  return counts.fail - put + (header.strict ? counts.warn : 0);
};

export function badgeReport(run: Run): string {
  const { message, color } = badgeOf(run);
  return `${JSON.stringify({ schemaVersion: 1, label, message, color, isError: color !== 'brightgreen' })}\n`;
}

/** Dark enough for white letters on them (4.5:1). */
const fills: Readonly<Record<Badge['color'], string>> = {
  brightgreen: '#1a7f37',
  yellow: '#8a6100',
  red: '#c62828',
  lightgrey: '#636c76',
};

/** Nobody knows the reader's letters: `textLength` makes them fit what is reserved here. */
const widthOf = (words: string): number => Math.round(words.length * 6.4);

export function badgeSvgReport(run: Run): string {
  const { message, color } = badgeOf(run);
  const [left, right] = [widthOf(label) + 16, widthOf(message) + 16];
  const words = (says: string, from: number): string =>
    element('text', { x: String(from + 8), y: '14', textLength: String(widthOf(says)), fill: '#fff' }, text(says));
  const box = (x: number, width: number, fill: string): string =>
    element('rect', { x: String(x), width: String(width), height: '20', fill });
  const letters = { 'font-family': 'Verdana, Geneva, DejaVu Sans, sans-serif', 'font-size': '11' };
  const clip = element(
    'clipPath',
    { id: 'round' },
    element('rect', { width: String(left + right), height: '20', rx: '3', fill: '#fff' }),
  );
  const says = `${label}: ${message}`;
  const content = [
    element('title', {}, text(says)),
    clip,
    element('g', { 'clip-path': 'url(#round)' }, box(0, left, '#3b424a') + box(left, right, fills[color])),
    element('g', letters, words(label, 0) + words(message, left)),
  ].join('');
  const size = { width: String(left + right), height: '20', role: 'img', 'aria-label': says };
  return `${element('svg', { xmlns: 'http://www.w3.org/2000/svg', ...size }, content)}\n`;
}
