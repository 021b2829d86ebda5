/** One start of the client in one situation, from the first listener to the last process. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { inAnHour } from '../clock.ts';
import { type Ended, isRun, type Plant, type Trial } from '../model/client.ts';
import type { Exchange } from '../model/exchange.ts';
import { formsOf, isPlaintextForm, keyPrefixes, Secret } from '../model/secret.ts';
import type { ProfileClient } from '../profile/profile-client.ts';
import { type Random, word } from '../random.ts';
import { Keyring } from '../secrets/keyring.ts';
import type { Guard } from '../target/guard.ts';
import type { TrialPlan } from '../verdict/client-plan.ts';
import { wrongCertificate } from './certificate.ts';
import { type Company, startCompany } from './company.ts';
import { answersIn, limitedFirst } from './contexts.ts';
import { type Around, startCounterpart } from './counterpart.ts';
import { startElsewhere } from './elsewhere.ts';
import { stillOpen } from './gone.ts';
import { filesWithKey, withoutNames } from './left-files.ts';
import { kept, outcomeOf, shownIn, toldIn } from './outcome.ts';
import { type Program, startProgram } from './program.ts';
import type { Gate } from './side-by-side.ts';
import { environmentOf, filled, mentions, type Values } from './surroundings.ts';
import { watch } from './watching.ts';

export interface TrialAround {
  readonly clock: Clock;
  readonly began: number;
  readonly client: ProfileClient;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly guard: Guard;
  readonly owner: string;
  /** Processes that ran before the first start. */
  readonly strangers: ReadonlySet<number>;
  /** A program that starts up passes it, until its first call. */
  readonly gate: Gate;
  readonly stalls: { longestSince(time: number): number };
  readonly random: Random;
  readonly signal?: AbortSignal;
  newId(): number;
  written(exchange: Exchange): void;
}

/** What a trial ends with where the program could not be started at all. */
export class NotStarted extends Error {
  override readonly name = 'NotStarted';
}

const graceMs = 500;
const keptOutput = 2000;

/** Some processes come and go before the call, or after it: after each kind of end, one situation shows them. */
const watchedThroughout: ReadonlySet<string> = new Set(['complete', 'partial', 'refused-422', 'failing-500']);

export async function runTrial(plan: TrialPlan, around: TrialAround): Promise<Trial> {
  const { situation, deviations = [] } = plan;
  const { clock, client, began, random } = around;
  const drawn = (): string => keyPrefixes[plan.key] + word(random, 32);
  const key = drawn();
  const [keyring, ownRing] = [new Keyring(), new Keyring()];
  for (const each of [keyring, ownRing]) each.register(new Secret('key', key));
  const redact = (text: string): string => keyring.redact(text);
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-client-'));
  const startedOn = Date.parse(clock.date());
  const keyIn = new Set<string>();
  let wasAnswered = (): void => {};
  const answered = new Promise<void>((resolve) => {
    wasAnswered = resolve;
  });
  let program: Program | undefined;
  let company: Company | undefined;
  const lookAtChildren = (): void => {
    if (program?.children().some((line) => line.includes(key))) keyIn.add('arguments');
  };
  const toServer: Around = {
    clock,
    began,
    newId: around.newId,
    redact,
    written: (exchange) => {
      around.written(exchange);
      if (isRun(exchange) && exchange.response?.status !== limitedFirst.status) wasAnswered();
    },
    seen: ({ isRun: asksForRun }) => {
      if (asksForRun && situation.depth === 'quick') lookAtChildren();
    },
  };
  const items = Array.from({ length: situation.items }, () => `it${word(random, 8)}`);
  const decoys = Array.from({ length: 6 }, () => `no${word(random, 8)}`);
  const actor = situation.actor ?? client.actor;
  const basePath = situation.base === 'with-path' ? '/gateway/actors-api' : '';
  const common = { basePath, actor, keepsConnections: plan.connection === 'kept', refuses: situation.refuses ?? false };
  const other = situation.name.startsWith('redirected') ? await startElsewhere(items, common, toServer) : undefined;
  const plant: Plant = { items, decoys, elsewhere: other?.base ?? '', inAnHour: inAnHour() };
  const tls = situation.base === 'wrong-certificate';
  const answers = situation.answers(plant);
  const given = answersIn(deviations, answers);
  const server = await startCounterpart(
    { ...common, answers: given, before: given.length - answers.length, ...(tls ? { tls: wrongCertificate } : {}) },
    toServer,
  );
  let started = clock.now() - began;
  let hasStarted = (): void => {};
  try {
    hasStarted = await around.gate.enter();
    if (deviations.includes('among'))
      company = await startCompany(around, { folder, number: plan.number, key: drawn, answered });
    for (const each of company?.keys ?? []) keyring.register(new Secret('key', each));
    const input = JSON.stringify(situation.input ?? client.input);
    const values: Values = {
      base: `${tls ? 'https' : 'http'}://127.0.0.1:${server.port}${basePath}`,
      key,
      actor,
      input,
      ...filesFor(client, folder, { input, key }),
    };
    started = clock.now() - began;
    program = startProgram(
      {
        command: client.command.map((each) => filled(each, values)),
        env: environmentOf(around.env, client, values, folder),
        folder: client.folder,
        stdin: client.stdin === undefined ? undefined : filled(client.stdin, values),
        mark: `${around.owner}_client${plan.number}`,
        strangers: around.strangers,
      },
      clock,
      around.guard,
    );
    const look = watchedThroughout.has(situation.name) ? lookAtChildren : (): void => {};
    const how = await watch(program, server, situation, { ...around, hasStarted, look, graceMs });
    if (how.notStarted !== undefined) throw new NotStarted(how.notStarted);
    const end = clock.now() - began;
    const left = await program.end(graceMs);
    const open = await stillOpen(clock, how.stopped === undefined ? server.connected : server.open);
    const said = program.said();
    for (const [where, text] of [['output', said.output] as const, ['error output', said.errors] as const])
      if (shows(redact(latin1(text)))) keyIn.add(where);
    const own = [values.input_file, values.key_file];
    // A copy beside it may still hold a file of its own; and one that we ended could not tidy up.
    const holdsOwn = (text: string): boolean => shows(ownRing.redact(withoutNames(text)));
    if (how.stopped === undefined && filesWithKey(holdsOwn, folder, client.folder, { since: startedOn, but: own }) > 0)
      keyIn.add('file');
    const told = toldIn(said.output);
    const ended: Ended = {
      ...(how.exit === undefined ? {} : { exit: how.exit }),
      ...(how.signal === undefined ? {} : { signal: how.signal }),
      outcome: outcomeOf(client.says, { exit: how.exit, output: said.output }),
      ...(told === undefined ? {} : { told: cleaned(kept(told), redact) }),
      output: utf8(redact(latin1(said.output))).slice(-keptOutput),
      errors: utf8(redact(latin1(said.errors))).slice(-keptOutput),
      shown: shownIn(said.output, [...items, ...decoys]),
      keyIn: [...keyIn],
      ...(how.stopped === undefined ? {} : { stopped: how.stopped }),
      stalledMs: Math.round(around.stalls.longestSince(began + started)),
      left: how.stopped === undefined ? left : 0,
      ...(open === 0 || how.stopped !== undefined ? {} : { open }),
      at: { started, end },
    };
    return {
      type: 'trial',
      number: plan.number,
      situation: situation.name,
      title: situation.title,
      key: plan.key,
      connection: plan.connection,
      ...(plan.deviations === undefined ? {} : { deviations: plan.deviations }),
      actor,
      input,
      basePath,
      planted: { items, decoys },
      exchanges: [...server.exchanges],
      elsewhere: [...(other?.server.exchanges ?? [])],
      broken: server.broken(),
      ended,
    };
  } finally {
    hasStarted();
    wasAnswered();
    await Promise.all([program?.end(graceMs), company?.end()]);
    await Promise.all([server.close(), other?.server.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the client may read from a file. A file with the key exists only for a client that is given its path. */
function filesFor(
  client: ProfileClient,
  folder: string,
  { input, key }: { readonly input: string; readonly key: string },
): Pick<Values, 'input_file' | 'key_file'> {
  const files = { input_file: join(folder, 'input.json'), key_file: join(folder, 'key') };
  writeFileSync(files.input_file, input);
  if (mentions(client, 'key_file')) writeFileSync(files.key_file, key, { mode: 0o600 });
  return files;
}

const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const utf8 = (text: string): string => Buffer.from(text, 'latin1').toString('utf8');

const shows = (redacted: string): boolean => formsOf(utf8(redacted), 'key').some(isPlaintextForm);

const cleaned = <T>(value: T, redact: (text: string) => string): T =>
  value === undefined ? value : (JSON.parse(utf8(redact(latin1(JSON.stringify(value))))) as T);
