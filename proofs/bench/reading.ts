/** What reading answers costs compared with `JSON.parse`: the quick reader, which knows values, and the one that loses nothing. */
import { performance } from 'node:perf_hooks';
import { readJson } from '../../src/model/json-text.ts';
import { readTree } from '../../src/model/json-tree.ts';
import { catalogue, rulesVersion } from '../../suites/index.ts';
import { tryOn } from '../matrix/try-on.ts';
import { type Figure, median } from './measure.ts';

const rounds = 15;

function timeOf(texts: readonly string[], read: (text: string) => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const from = performance.now();
    for (const text of texts) read(text);
    return performance.now() - from;
  });
  return median(times);
}

export async function reading(): Promise<Figure[]> {
  const rules = { rules: catalogue, version: rulesVersion, specification: 'bench' };
  const run = await tryOn(rules, { name: 'the reference', overlays: [] }, { depth: 'standard', seed: 1 });
  const texts = [...run.exchanges.values()].flatMap(({ response }) => {
    const text = response?.body.text ?? '';
    return text.startsWith('{') ? [text] : [];
  });
  const parse = timeOf(texts, JSON.parse);
  const quick = timeOf(texts, readJson) / parse;
  const whole = timeOf(texts, readTree) / parse;
  return [
    {
      what: `reading ${texts.length} answers of a run, beside JSON.parse`,
      value: `${quick.toFixed(2)} ×`,
      goal: '≤ 1.3 ×',
      reached: quick <= 1.3,
    },
    {
      what: 'the same without any loss: order, members twice, places',
      value: `${whole.toFixed(2)} ×`,
      goal: '–',
      reached: true,
    },
  ];
}
