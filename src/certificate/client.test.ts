/** A certificate about a client: every verdict and the whole plan are derived again, and edits do not verify. */
import { beforeAll, describe, expect, test } from 'vitest';
import { tryClient } from '../../proofs/clients/try.ts';
import { clientKnowledge, knowledge as ofServices } from '../cli/knowledge.ts';
import type { RunRecord } from '../model/run.ts';
import { readRun } from '../runfile/read.ts';
import { clientLevelsByRules } from './levels.ts';
import { bundle, edited, issued, keys, type Recorded } from './testing.ts';
import { verifyBundle } from './verify.ts';
import { whyNotCertified } from './why-not.ts';

/** Runs of the tests are of any day. */
const knowledge = { ...clientKnowledge(), since: '2026-01-01' };
let recorded: Recorded;

beforeAll(async () => {
  const { run } = await tryClient({ depth: 'standard' });
  const { header, exchanges, trials = [], findings, footer } = run;
  const records = [
    header,
    ...[...exchanges.values()].map((exchange) => ({ type: 'exchange', exchange })),
    ...trials,
    ...findings.map((finding) => ({ type: 'finding', finding })),
    footer,
  ];
  const text = `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
  recorded = { text, run: readRun(text) };
}, 300_000);

const after = (): string => new Date(Date.parse(recorded.run.footer!.ended) + 1000).toISOString();

const whyNot = (one: Recorded): string[] =>
  whyNotCertified([{ name: 'it', run: one.run, bytes: Buffer.from(one.text) }], 'full', after(), knowledge);

/** The holder of a key can sign anything: only what is derived again contradicts it. */
const verified = (one: Recorded) =>
  verifyBundle(bundle([one], { level: 'full', issued: after() }, keys, knowledge).files, ofServices(), {
    ofClients: knowledge,
  });

test('a lawful client gets one of the level full, and it says what it is about', () => {
  expect(whyNot(recorded)).toEqual([]);
  const { problems, statement } = verified(recorded);
  expect(problems).toEqual([]);
  expect(statement?.predicate.touchstone).toMatchObject({ about: 'client', level: 'full', suite: { rules: '1' } });
  const { verdicts } = statement!.predicate.touchstone;
  expect(verdicts).toHaveLength(knowledge.clients!.rules.length);
  // Who refuses a certificate has sent nothing.
  expect(verdicts.filter(({ exchanges }) => exchanges === 0).map(({ rule }) => rule)).toEqual([
    'client.checks-certificates',
  ]);
});

test('nobody derives it by the rules of services', () => {
  const { files } = bundle([recorded], { level: 'full', issued: after() }, keys, knowledge);
  expect(verifyBundle(files, ofServices()).underived).toBe('it is about a client');
  expect(whyNotCertified([{ name: 'it', run: recorded.run }], 'core', issued, ofServices()).join()).toMatch(
    /run of a client|rules of version/,
  );
});

describe('an edit that was signed', () => {
  const edits: readonly (readonly [string, (record: RunRecord) => RunRecord | undefined, RegExp])[] = [
    [
      'a call that breaks a rule',
      (record) =>
        record.type === 'exchange' && record.exchange.id === 1
          ? { ...record, exchange: { ...record.exchange, request: { ...record.exchange.request, method: 'PUT' } } }
          : record,
      /verdict on client\.right-call is stored as pass, but its exchanges show fail/,
    ],
    [
      'a start that is left out',
      (record) => (record.type === 'trial' && record.situation === 'limited-two' ? undefined : record),
      /is missing/,
    ],
    [
      'a start for another situation',
      (record) =>
        record.type === 'trial' && record.situation === 'limited-two' ? { ...record, situation: 'complete' } : record,
      /is not for 429/,
    ],
    [
      'a start in another context',
      (record) => (record.type === 'trial' && record.number === 1 ? { ...record, deviations: ['repeated'] } : record),
      /start 1 is not in the expected context/,
    ],
    [
      'a start with fewer items',
      (record) =>
        record.type === 'trial' && record.situation === 'complete'
          ? { ...record, planted: { ...record.planted, items: record.planted.items.slice(1) } }
          : record,
      /has other items than those for/,
    ],
    [
      'an answer that the situation does not give',
      (record) =>
        record.type === 'exchange' && record.exchange.response?.status === 401
          ? { ...record, exchange: { ...record.exchange, response: { ...record.exchange.response, status: 500 } } }
          : record,
      /was answered differently than for/,
    ],
    [
      'a rule that looked at fewer starts',
      (record) =>
        record.type === 'header'
          ? { ...record, planned: record.planned.map((each) => ({ ...each, contexts: each.contexts - 1 })) }
          : record,
      /client\.right-call looks at \d+ of them, but the header states \d+/,
    ],
    [
      'an exchange in two starts',
      (record) => (record.type === 'trial' ? { ...record, exchanges: [...record.exchanges, 1] } : record),
      /one exchange belongs to two starts/,
    ],
    [
      'another depth',
      (record) => (record.type === 'header' ? { ...record, depth: 'thorough' } : record),
      /is started \d+ times/,
    ],
    [
      'a level of a rule',
      (record) =>
        record.type === 'header'
          ? { ...record, planned: record.planned.map((each) => ({ ...each, level: 'observed' as const })) }
          : record,
      /differently than the rule does/,
    ],
    [
      'a service instead',
      (record) => {
        if (record.type !== 'header') return record;
        const { client: _, ...rest } = record;
        return rest;
      },
      /run of a service/,
    ],
  ];

  test.each(edits)('%s does not verify', (_, change, says) => {
    expect(verified(edited(recorded, change)).problems.join('\n')).toMatch(says);
  });
});

test('each level of clients demands rules that there are, each once', () => {
  const ids = knowledge.clients!.rules.map(({ id }) => id as string);
  const { core, full } = clientLevelsByRules[knowledge.version]!;
  expect(full.rules.filter((id) => !ids.includes(id))).toEqual([]);
  expect(new Set(full.rules).size).toBe(full.rules.length);
  const required = knowledge.clients!.rules.filter(({ clause }) => clause.level === 'required').map(({ id }) => id);
  expect([...core.rules].toSorted()).toEqual(required.toSorted());
  const judged = knowledge.clients!.rules.filter(({ clause }) => clause.level !== 'observed').map(({ id }) => id);
  expect([...full.rules].toSorted()).toEqual(judged.toSorted());
});
