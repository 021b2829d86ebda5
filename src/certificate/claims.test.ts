/** The claims of a header and a footer are compared with the exchanges, as far as these show them. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Exchange } from '../model/exchange.ts';
import type { RunFooter, RunHeader, RunRecord, Step } from '../model/run.ts';
import { whyImplausible, whyRespelled } from './plausible.ts';
import { whyOtherwisePlanned } from './replan.ts';
import { bundle, edited, issued, knowledge, type Recorded, recorded } from './testing.ts';
import { verifyBundle } from './verify.ts';

const asked = ['verify.valid-key', 'auth.run-without-key', 'actor.read', 'run.success-shape', 'input.missing-field'];
const few = { ...knowledge, rules: knowledge.rules.filter(({ id }) => asked.includes(id)) };

let standard: Recorded;
let quick: Recorded;
beforeAll(async () => {
  standard = await recorded({}, undefined, few);
  quick = await recorded({ depth: 'quick' }, undefined, few);
});

const problems = ({ run, text }: Recorded): string =>
  [
    ...whyOtherwisePlanned('run-1.jsonl', run, few.rules),
    ...whyImplausible('run-1.jsonl', run, few.since, issued),
    ...whyRespelled('run-1.jsonl', Buffer.from(text)),
  ].join('\n');

const header = (run: Recorded, change: Partial<RunHeader>): Recorded =>
  edited(run, (record) => (record.type === 'header' ? { ...record, ...change } : record));
const footer = (run: Recorded, change: Partial<RunFooter>): Recorded =>
  edited(run, (record) => (record.type === 'footer' ? { ...record, ...change } : record));
const exchange = (id: number, change: (exchange: Exchange) => Exchange): Recorded =>
  edited(standard, (record) =>
    record.type === 'exchange' && record.exchange.id === id ? { ...record, exchange: change(record.exchange) } : record,
  );
const planned = (rule: string, change: (plan: RunHeader['planned'][number]) => object): Recorded =>
  edited(standard, (record) =>
    record.type !== 'header'
      ? record
      : ({
          ...record,
          planned: record.planned.map((each) => (each.rule === rule ? { ...each, ...change(each) } : each)),
        } as RunRecord),
  );
const isDeep = (record: RunRecord): record is Step =>
  record.type === 'step' && record.rule === 'actor.read' && record.context.connection === 'kept';

describe('a plan', () => {
  test('of a quick run is not that of a deeper one', () => {
    expect(problems(header(quick, { depth: 'standard' }))).toContain(
      'at depth standard and seed 1, verify.valid-key is',
    );
    expect(problems(header(standard, { depth: 'thorough' }))).toContain('at depth thorough');
  });

  test('follows from the seed', () => {
    expect(problems(header(standard, { seed: 77 }))).toContain('at depth standard and seed 77');
    expect(problems(header(standard, { repeat: 2 }))).toContain('is asked in');
  });

  test('lacks no context that was dropped', () => {
    let dropped = 0;
    const less = edited(standard, (record) => {
      if (isDeep(record) && dropped === 0) {
        dropped += 1;
        return undefined;
      }
      return record;
    });
    expect(dropped).toBe(1);
    expect(problems(less)).toContain('but the run has');
  });

  test.each<[string, (axes: NonNullable<RunHeader['planned'][number]['axes']>) => object, string]>([
    ['connections', () => ({ connection: ['fresh'] }), 'a connection that is not the rule'],
    ['company', () => ({ company: ['alone'] }), 'a company that is not the rule'],
    ['history', ({ history }) => ({ history: history.slice(0, 2) }), 'other values of the history'],
    ['keys', ({ keys }) => ({ keys: keys.slice(0, 1) }), 'other values of the entitled keys'],
    ['cases', () => ({ cases: [{ name: 'one of my own' }] }), 'cases that are not the rule'],
    ['actors', () => ({ actors: ['nobody'] }), 'actors that the header does not name'],
  ])('varies over no other %s than those of the run', (_, change, says) => {
    expect(problems(planned('actor.read', ({ axes }) => ({ axes: { ...axes, ...change(axes!) } })))).toContain(says);
  });

  test('asks each case with each kind of key where the rule does', () => {
    const fewer = planned('input.missing-field', ({ axes }) => {
      const { eachKey: _, ...others } = axes!;
      return { axes: others };
    });
    expect(problems(fewer)).toContain('input.missing-field was not planned over each case with each kind of key');
  });

  test('omits no history that every service has', () => {
    const narrow = edited(standard, (record) =>
      record.type !== 'header'
        ? record
        : {
            ...record,
            planned: record.planned.map(({ axes, ...each }) => ({
              ...each,
              ...(axes && { axes: { ...axes, history: axes.history.filter((value) => value !== 'after-refusal') } }),
            })),
          },
    );
    expect(problems(narrow)).toContain('the plan omits histories that every service has');
  });

  test('has no contexts for what it calls untested', () => {
    const both = planned('actor.read', () => ({ untested: { because: 'there is no actor' } }));
    expect(problems(both)).toContain('actor.read is marked untested, but has contexts');
  });

  test('says over what it is', () => {
    const bare = planned('actor.read', () => ({ axes: undefined }));
    expect(problems(bare)).toContain('actor.read does not state what it was planned over');
  });

  test('calls nothing untested that had all it needs', () => {
    const hidden = edited(standard, (record) => {
      const because = 'there is no API key';
      if (record.type === 'step' && record.rule === 'auth.run-without-key') return undefined;
      if (record.type !== 'header') return record;
      return {
        ...record,
        planned: record.planned.map(({ axes, ...each }) =>
          each.rule === 'auth.run-without-key'
            ? { ...each, contexts: 0, untested: { because } }
            : { ...each, ...(axes && { axes }) },
        ),
      };
    });
    expect(problems(hidden)).toContain('auth.run-without-key is marked untested, but nothing that it needs is missing');
  });
});

describe('times', () => {
  test.each([
    ['1999', '1999-05-05T00:00:00.000Z', 'before set 2 existed'],
    ['2031', '2031-05-05T00:00:00.000Z', 'in the future'],
    ['no day', 'yesterday', 'does not say when it began and ended'],
  ])('a run of %s', (_, started, says) => {
    const { tookMs } = standard.run.footer!;
    const ended = Number.isNaN(Date.parse(started)) ? started : new Date(Date.parse(started) + tookMs).toISOString();
    expect(problems(footer(header(standard, { started }), { ended }))).toContain(says);
  });

  test('a run that took another time than it says', () => {
    const { at } = standard.run.exchanges.get(9)!;
    const late = { ...at, end: standard.run.footer!.tookMs + 60_000 };
    expect(problems(exchange(9, (each) => ({ ...each, at: late })))).toContain('ends after the run has ended');
    expect(problems(footer(standard, { tookMs: 86_400_000 }))).toContain('began and ended');
  });

  test('exchanges that are not in their order, or not all there', () => {
    const { at } = standard.run.exchanges.get(9)!;
    const early = { ...at, end: at.sent - 5 };
    expect(problems(exchange(9, (each) => ({ ...each, at: early })))).toContain('ends before it begins');
    const slow = footer(
      exchange(2, (each) => ({ ...each, at: { ...at, end: at.end + 5000 } })),
      { tookMs: 9000 },
    );
    expect(problems(slow)).toContain('ended long before those recorded ahead of it');
    const exchanges = new Map([...standard.run.exchanges].filter(([id]) => id !== 7));
    expect(problems({ ...standard, run: { ...standard.run, exchanges } })).toContain('exchange 7 is missing');
  });

  test('a certificate of tomorrow', () => {
    const { files } = bundle([standard], {}, undefined, few);
    expect(verifyBundle(files, few, { now: '2026-11-01T00:00:00.000Z' }).problems[0]).toContain('in the future');
    const early = bundle([standard], { issued: '2025-06-01T00:00:00.000Z' }, undefined, few);
    expect(verifyBundle(early.files, few).problems[0]).toContain('issued before run-1.jsonl had ended');
  });
});

test('a body that is not as long as its head says', () => {
  const [id] = [...standard.run.exchanges.values()].flatMap((each) =>
    each.response?.headers.some(([name]) => name.toLowerCase() === 'content-length') && each.response.body.text
      ? [each.id]
      : [],
  );
  const { response, ...rest } = standard.run.exchanges.get(id!)!;
  const body = { ...response!.body, text: `${response!.body.text} ` };
  const altered = (change: object): string =>
    problems(exchange(id!, () => ({ ...rest, response: { ...response!, body: { ...body, ...change } } })));
  expect(altered({})).toContain(
    `exchange ${id} has a Content-Length of ${body.bytes}, but a body of ${body.bytes + 1}`,
  );
  expect(altered({ bytes: body.bytes + 1 })).toContain(
    `exchange ${id} has a Content-Length of ${body.bytes}, but its record counts ${body.bytes + 1} bytes`,
  );
});

test('a member that stands in a line twice', () => {
  const twice = standard.text.replace('"depth":"standard"', '"depth":"quick","depth":"standard"');
  const said = verifyBundle(bundle([{ ...standard, text: twice }], {}, undefined, few).files, few).problems;
  expect(said).toContainEqual(expect.stringContaining('run-1.jsonl:1 is not formatted as Touchstone writes it'));
  expect(whyRespelled('x', Buffer.from('{"a":1}\n{"a": 1}\n'))).toEqual([expect.stringContaining('x:2 ')]);
  expect(whyRespelled('x', Buffer.from(standard.text))).toEqual([]);
});
