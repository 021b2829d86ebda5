import { expect, it } from 'vitest';
import type { Exchange } from '../model/exchange.ts';
import type { RunFooter, RunHeader, RunRecord, Step } from '../model/run.ts';
import { Ledger } from './ledger.ts';

const exchange = (id: number) => ({ id }) as Exchange;

it('takes nothing any more that comes after the last finding', () => {
  const records: RunRecord[] = [];
  const ledger = new Ledger((record) => records.push(record));
  const header = { type: 'header', planned: [] as RunHeader['planned'] } as RunHeader;
  ledger.open(header);
  ledger.exchange(exchange(1));
  ledger.seal();
  ledger.exchange(exchange(2));
  const run = ledger.close(header, { type: 'footer' } as RunFooter);
  ledger.exchange(exchange(3));
  expect([...run.exchanges.keys()]).toEqual([1]);
  expect(records.map(({ type }) => type)).toEqual(['header', 'exchange', 'footer']);
});

it('reports every time that it cannot be written: the first caller may take it for a fault in a rule', () => {
  let writes = 0;
  const ledger = new Ledger(() => {
    writes += 1;
    if (writes === 2) throw new Error('the disk is full');
  });
  ledger.open({ type: 'header', planned: [] as RunHeader['planned'] } as RunHeader);
  expect(() => ledger.exchange(exchange(1))).toThrow('the disk is full');
  expect(() => ledger.step({ type: 'step', rule: 'a.rule' } as Step)).toThrow('the disk is full');
  expect(writes).toBe(2);
});
