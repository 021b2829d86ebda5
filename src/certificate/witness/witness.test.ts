/** A verifier's challenge, and everything that somebody with a signing key of their own could try with it. */
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RunRecord } from '../../model/run.ts';
import { freshKeyPair } from '../../random.ts';
import { readRun } from '../../runfile/read.ts';
import { keyId } from '../keys.ts';
import { bundle, edited, keys, knowledge, type Recorded, recorded } from '../testing.ts';
import { verifyBundle } from '../verify.ts';
import {
  type Challenge,
  challengeFrom,
  challengeText,
  type GivenChallenge,
  rootOf,
  seedOf,
  sha256,
  whyNotNow,
} from './challenge.ts';
import { nextLine, startedFrom } from './started.ts';
import { whyNotWitnessed, witnessFrom } from './witness.ts';

const verifier = freshKeyPair();
const other = freshKeyPair();
const target = 'http://127.0.0.1:1001';

interface Told extends Recorded {
  readonly challenge: string;
  readonly journal: string;
}

const given: Challenge = { version: 1, value: 'ab'.repeat(32), target, issued: '', expires: '' };

/** A run of the reference with a challenge, and a journal that saw `before` others starting. */
async function told(change: Partial<Challenge> = {}, before = 0, by = verifier): Promise<Told> {
  const { run } = await recorded();
  const began = Date.parse(run.header.started);
  const at = (ms: number): string => new Date(began + ms).toISOString();
  const challenge = challengeText({ ...given, issued: at(-60_000), expires: at(3_600_000), ...change }, by);
  const read = challengeFrom(challenge)!;
  let journal = '';
  const add = (entry: Parameters<typeof nextLine>[2]): string => {
    const line = nextLine(journal, read, entry);
    journal += `${line}\n`;
    return sha256(line);
  };
  for (let number = 1; number <= before; number += 1) add({ type: 'started', number, target, at: at(-30_000) });
  const number = before + 1;
  const entry = add({ type: 'started', number, target, at: at(-1000) });
  const witness = { root: rootOf(read, number), by: { challenge: read.digest, number, entry } };
  const made = await recorded({ seed: seedOf(read, number), witness });
  add({ type: 'ended', number, outcome: 'conforms', file: sha256(made.text), at: at(1_800_000) });
  return { ...made, challenge, journal };
}

let one: Told;
let third: Told;

beforeAll(async () => {
  [one, third] = [await told(), await told({}, 2)];
});

const witnessOf = ({ challenge, journal }: Pick<Told, 'challenge' | 'journal'>) => {
  const witness = witnessFrom(challenge, journal);
  if (typeof witness === 'string') throw new Error(witness);
  return witness;
};

const inFiles = ({ text, run }: Recorded) => [{ name: 'run-1.jsonl', run, sha256: sha256(text) }];

/** As somebody would hand it over who signs with their own key. */
function problems(told: Told, key = verifier.publicKey): readonly string[] {
  const { challenge, journal } = told;
  const witness = witnessFrom(challenge, journal);
  const more = typeof witness === 'string' ? {} : { witness };
  const { files } = bundle([told], more, keys, knowledge, { challenge, journal });
  return verifyBundle(files, knowledge, { witnessKey: key }).problems;
}

/** The run edited, and the journal that saw it ending brought into line: all of it is the signer's to write. */
function forged(from: Told, change: (record: RunRecord) => RunRecord | undefined): Told {
  const made = edited(from, change);
  return { ...from, ...made, journal: ended(from, sha256(made.text)) };
}

function ended({ challenge, journal }: Told, file: string): string {
  const lines = journal.trimEnd().split('\n');
  const { after: _, ...last } = JSON.parse(lines.pop()!);
  const before = `${lines.join('\n')}\n`;
  return `${before}${nextLine(before, challengeFrom(challenge)!, { ...last, file })}\n`;
}

const header =
  (change: (record: Extract<RunRecord, { type: 'header' }>) => RunRecord) =>
  (record: RunRecord): RunRecord =>
    record.type === 'header' ? change(record) : record;

describe('a witnessed certificate', () => {
  test('verifies by the key of the verifier, and lists every run that was started', () => {
    expect(problems(one)).toEqual([]);
    expect(problems(third)).toEqual([]);
    const { challenge, journal } = third;
    const { statement } = bundle([third], { witness: witnessOf(third) }, keys, knowledge, { challenge, journal });
    const { witness } = statement.predicate.touchstone;
    expect(witness?.keyid).toBe(keyId(verifier.publicKey));
    expect(witness?.runs.map(({ number, outcome, file }) => [number, outcome, file])).toEqual([
      [1, undefined, undefined],
      [2, undefined, undefined],
      [3, 'conforms', 'run-1.jsonl'],
    ]);
  });

  test('is missing without a challenge, or with the challenge of somebody else', async () => {
    const { files } = bundle([one]);
    expect(verifyBundle(files, knowledge).problems).toEqual([]);
    expect(verifyBundle(files, knowledge, { witnessKey: verifier.publicKey }).problems).toEqual([
      'it is not witnessed: there is no challenge in it',
    ]);
    expect(problems(one, other.publicKey)[0]).toContain('by another key than the witness key');
    expect(problems(await told({}, 0, other))[0]).toContain('by another key than the witness key');
  });
});

describe('a challenge', () => {
  test.for<[keyof Challenge, unknown]>([
    ['version', 2],
    ['value', 'cd'.repeat(32)],
    ['value', 'ab'],
    ['target', 'http://127.0.0.1:1002'],
    ['issued', '2020-01-01T00:00:00.000Z'],
    ['expires', '2099-01-01T00:00:00.000Z'],
    ['expires', 'never'],
  ])('with another %s does not verify, re-signed by the signer or not', ([member, value]) => {
    const envelope = JSON.parse(one.challenge);
    const payload = { ...JSON.parse(Buffer.from(envelope.payload, 'base64').toString('utf8')), [member]: value };
    const changed = { ...envelope, payload: Buffer.from(JSON.stringify(payload)).toString('base64') };
    expect(problems({ ...one, challenge: `${JSON.stringify(changed, undefined, 2)}\n` })).not.toEqual([]);
    const own = challengeText(payload as Challenge, other);
    expect(problems({ ...one, challenge: own })).not.toEqual([]);
  });

  test('is refused with an extra, repeated or reordered member', () => {
    const read = challengeFrom(one.challenge) as GivenChallenge;
    const { version, value, issued, expires } = read;
    const signedText = (payload: string): string => {
      const envelope = JSON.parse(one.challenge);
      return `${JSON.stringify({ ...envelope, payload: Buffer.from(payload).toString('base64') }, undefined, 2)}\n`;
    };
    const plain = { version, value, target, issued, expires };
    expect(challengeFrom(signedText(JSON.stringify(plain)))?.digest).toBe(read.digest);
    expect(challengeFrom(signedText(JSON.stringify({ ...plain, note: 1 })))).toBeUndefined();
    expect(challengeFrom(signedText(JSON.stringify(plain).replace('{', '{"version":1,')))).toBeUndefined();
    const reordered = challengeFrom(signedText(JSON.stringify({ expires, version, value, target, issued })));
    expect(reordered?.isSignedBy(verifier.publicKey)).toBe(false);
  });

  test('cannot be used for another address, before its time or after it', () => {
    const challenge = { ...given, issued: '2026-11-21T10:00:00.000Z', expires: '2026-11-21T12:00:00.000Z' };
    expect(whyNotNow(challenge, target, '2026-11-21T11:00:00.000Z')).toBeUndefined();
    expect(whyNotNow(challenge, `${target}/x`, '2026-11-21T11:00:00.000Z')).toContain('the challenge is for');
    expect(whyNotNow(challenge, target, '2026-11-21T09:59:59.000Z')).toContain('issued at');
    expect(whyNotNow(challenge, target, '2026-11-21T12:00:00.001Z')).toContain('expired at');
  });
});

describe('a run that was not made with the challenge', () => {
  test('made before, with a seed and nonces of its own', async () => {
    const { header: own } = one.run;
    const prepared = await recorded({ seed: 5 });
    const claimed = edited(
      prepared,
      header((record) => ({ ...record, witness: own.witness! })),
    );
    const said = problems({ ...one, ...claimed, journal: ended(one, sha256(claimed.text)) }).join('\n');
    expect(said).toContain('its seed does not follow from the challenge');
    expect(said).toContain('does not follow from the challenge');
  });

  test('made before with the seed, but without the nonces that only the challenge gives', async () => {
    const { header: own } = one.run;
    const claimed = edited(
      await recorded({ seed: own.seed }),
      header((record) => ({ ...record, witness: own.witness! })),
    );
    const said = problems({ ...one, ...claimed, journal: ended(one, sha256(claimed.text)) });
    expect(said.length).toBeGreaterThan(0);
    expect(said.every((each) => /the nonce of exchange \d+ does not follow/.test(each))).toBe(true);
  });

  test('a prepared exchange that only says that it has a nonce of the challenge', () => {
    const swapped = forged(one, (record) =>
      record.type === 'exchange' && record.exchange.planted?.nonce !== undefined
        ? {
            ...record,
            exchange: {
              ...record.exchange,
              request: { ...record.exchange.request, body: { text: '{"message":"anything"}', bytes: 22 } },
            },
          }
        : record,
    );
    expect(problems(swapped).join('\n')).toMatch(/the nonce of exchange \d+ does not follow/);
  });

  test.for([
    ['its own nonce is lawful', (text: string) => text, /^$/],
    ['another text is not', () => '{"message":"anything"}', /the nonce of exchange \d+ does not follow/],
  ] as const)('in a compressed body %s', ([, inside, says]) => {
    const packed = forged(one, (record) => {
      if (record.type !== 'exchange' || record.exchange.planted?.nonce === undefined) return record;
      const { request } = record.exchange;
      const bytes = gzipSync(inside(request.body?.text ?? ''));
      const body = { base64: bytes.toString('base64'), bytes: bytes.length };
      return { ...record, exchange: { ...record.exchange, request: { ...request, body } } };
    });
    const nonces = problems(packed).filter((each) => each.includes('nonce'));
    expect(nonces.join('\n')).toMatch(says);
  });

  test('another number, another address, another challenge, another time', () => {
    const changes: [(record: Extract<RunRecord, { type: 'header' }>) => RunRecord, RegExp][] = [
      [(r) => ({ ...r, witness: { ...r.witness!, number: 2 } }), /no run 2/],
      [(r) => ({ ...r, witness: { ...r.witness!, entry: '0'.repeat(64) } }), /no run 1/],
      [(r) => ({ ...r, witness: { ...r.witness!, challenge: '0'.repeat(64) } }), /another challenge/],
      [(r) => ({ ...r, target: 'http://127.0.0.1:1' }), /but the run is of http:\/\/127.0.0.1:1/],
      [(r) => ({ ...r, seed: r.seed + 1 }), /its seed does not follow/],
      [(r) => ({ ...r, started: new Date(Date.parse(r.started) - 3_600_000).toISOString() }), /began before/],
      [({ witness: _, ...r }) => r, /without a challenge/],
    ];
    for (const [change, says] of changes) expect(problems(forged(one, header(change))).join('\n')).toMatch(says);
  });

  test('begun in time and ended too late', async () => {
    const { footer } = one.run;
    const expires = new Date(Date.parse(footer!.ended) - 1).toISOString();
    expect(problems(await told({ expires })).join('\n')).toContain('before the challenge expired');
  });

  test('twice, under two names', () => {
    const files = inFiles(one);
    expect(whyNotWitnessed(witnessOf(one), [...files, ...files])).toContain('one started run occurs twice');
  });
});

describe('the journal of started runs', () => {
  const lines = (told: Told): string[] => told.journal.trimEnd().split('\n');
  const text = (each: readonly string[]): string => `${each.join('\n')}\n`;

  test('does not lose a run that was started before, nor change its order, nor end a run twice', () => {
    const [first, second, own, end] = lines(third) as [string, string, string, string];
    const edits = [
      [second, own, end],
      [first, own, end],
      [own, end],
      [second, first, own, end],
      [first, second, end, own],
      [first, second, own],
      [first, second, own, end, end],
      [first, second, own, end, own],
      [first.replace('"number":1', '"number":2'), second, own, end],
      [`${first} `, second, own, end],
    ];
    for (const edit of edits) expect(problems({ ...third, journal: text(edit) }), text(edit)).not.toEqual([]);
    expect(problems({ ...third, journal: third.journal.trimEnd() })).not.toEqual([]);
    expect(problems({ ...third, journal: '' })).not.toEqual([]);
  });

  test('is not written anew as if there had been one run: its number gave the seed', () => {
    const read = challengeFrom(third.challenge)!;
    const at = third.run.header.started;
    const own = nextLine('', read, { type: 'started', number: 1, target, at });
    const claimed = edited(
      third,
      header((r) => ({ ...r, witness: { ...r.witness!, number: 1, entry: sha256(own) } })),
    );
    const end = nextLine(`${own}\n`, read, {
      type: 'ended',
      number: 1,
      outcome: 'conforms',
      file: sha256(claimed.text),
      at: new Date(Date.parse(at) + 1_800_000).toISOString(),
    });
    expect(problems({ ...third, ...claimed, journal: text([own, end]) }).join('\n')).toContain(
      'its seed does not follow',
    );
  });

  test('each member of each line edited: none is a journal, or none that the run is of', () => {
    const read = challengeFrom(third.challenge)!;
    const whole = lines(third);
    let tried = 0;
    for (const [at, line] of whole.entries())
      for (const [name, value] of Object.entries(JSON.parse(line))) {
        const changed =
          typeof value === 'number' ? value + 1 : name === 'at' ? '2001-01-01T00:00:00.000Z' : `${value}x`;
        const journal = text(whole.with(at, JSON.stringify({ ...JSON.parse(line), [name]: changed })));
        const started = startedFrom(journal, read);
        const said =
          typeof started === 'string' ? [started] : whyNotWitnessed({ challenge: read, started }, inFiles(third));
        expect(said, `${name} of line ${at + 1}`).not.toEqual([]);
        tried += 1;
      }
    expect(tried).toBe(3 * 5 + 6);
  });
});

test('a run file knows what it was started with', () => {
  expect(readRun(one.text).header.witness).toMatchObject({ number: 1 });
});
