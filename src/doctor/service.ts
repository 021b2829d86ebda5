/** What can be learned of a service before a run: a few reads, and one run of an actor that reads addresses. */
import { adminAsker } from '../engine/admin-asker.ts';
import { plan } from '../engine/plan.ts';
import { findInputs, prepared } from '../engine/prepare.ts';
import type { Sending } from '../engine/recorder.ts';
import { type Defaults, rawRequest, readRequest, runRequest, verifyRequest } from '../engine/requests.ts';
import type { Session } from '../engine/session.ts';
import type { Visit } from '../engine/visit.ts';
import type { AdminState } from '../init/seen.ts';
import { adminState, answered, isRefused, limitsOf, tame } from '../init/signs.ts';
import { type Exchange, headerValues, member, succeeded } from '../model/exchange.ts';
import type { Rule } from '../model/rule.ts';
import type { PlannedRule } from '../model/run.ts';
import type { Actor, Key, Subject } from '../model/subject.ts';
import { word } from '../random.ts';
import { note, ok, type Point, problem, warning } from './point.ts';

export interface Examined {
  readonly points: readonly Point[];
  readonly planned: readonly PlannedRule[];
}

const asking = (key?: Key, instance: 'main' | 'disabled' = 'main'): Defaults => ({
  purpose: 'setup',
  instance,
  line: `doctor ${instance}`,
  ...(key === undefined ? {} : { key }),
});

/** Seconds. Nothing is judged by the service's clock, but certificates and people are. */
const muchSkew = 30;

export async function examine(visit: Visit, rules: readonly Rule[]): Promise<Examined> {
  const { session } = visit;
  const planFor = (subject: Subject): readonly PlannedRule[] =>
    plan(rules, subject, { depth: 'quick', seed: session.seed }).rules;
  const send = async (sending: Parameters<typeof session.recorder.send>[0]): Promise<Exchange> =>
    (await session.recorder.send(sending)).exchange;

  const sent = Date.parse(session.clock.date());
  const first = await send(verifyRequest(session, { key: null }, asking()));
  const address = session.profile.origin + session.profile.basePath;
  if (first.response === undefined) {
    const says = `${address}: ${first.failure?.says ?? 'no answer'}`;
    const next = 'Start the service, or correct `address`';
    return { points: [problem('service', 'unreachable', says, next)], planned: planFor(session.subject) };
  }
  const points: Point[] = [ok('service', `${address} answers`), skew(first, sent)];
  for (const key of session.subject.keys)
    points.push(keyPoint(key, await send(verifyRequest(session, {}, asking(key)))));
  if (session.subject.keys.length === 0) points.push(noKey);

  const subject = prepared(session, await findInputs(session), undefined);
  const entitled = session.subject.keys.find(({ role }) => role === 'entitled');
  const seen = new Set<string>();
  for (const actor of Object.values(subject.actors).flat()) {
    if (entitled === undefined || seen.has(actor.name)) continue;
    seen.add(actor.name);
    points.push(actorPoint(actor, await send(readRequest(session, { actor }, asking(actor.entitledKey ?? entitled)))));
  }
  points.push(await adminPoint(visit));
  if (session.profile.disabled !== undefined) points.push(await disabledPoint(visit));
  const reader = subject.actors.sources[0];
  if (reader !== undefined && entitled !== undefined) points.push(await sourcesPoint(visit, reader, entitled));
  points.push(limitPoint(visit));
  return { points, planned: planFor(subject) };
}

const noKey = problem(
  'keys',
  'incomplete',
  'there is no API key, and almost no rule can be asked without one',
  'Set TOUCHSTONE_API_KEY, or write keys: { main: { value: "${env:API_KEY}" } }',
);

function skew(exchange: Exchange, sent: number): Point {
  const date = Date.parse(headerValues(exchange, 'date')[0] ?? '');
  if (Number.isNaN(date)) return note('clock', 'the service sends no Date header');
  const off = Math.round((date - sent) / 1000);
  if (Math.abs(off) <= muchSkew)
    return ok('clock', `the clocks of the service and this machine agree within ${muchSkew} s`);
  return note(
    'clock',
    `the service's clock is ${Math.abs(off)} s ${off > 0 ? 'ahead of' : 'behind'} ours; verdicts do not depend on it`,
  );
}

function keyPoint({ name, tier }: Key, exchange: Exchange): Point {
  const title = `key ${name}`;
  const reported = member(exchange, 'tier');
  if (!succeeded(exchange) && !isRefused(exchange))
    return problem(
      title,
      'incomplete',
      `verifying it got ${answered(exchange)}`,
      'Check the service, or try again later',
    );
  if (isRefused(exchange))
    return problem(
      title,
      'usage',
      `it is refused: ${answered(exchange)}`,
      `Put a valid key into the environment or into keys.${name}`,
    );
  const shown = typeof reported === 'string' ? tame(reported, 80) : undefined;
  if (tier !== undefined && shown !== undefined && reported !== tier)
    return warning(
      title,
      `valid, but its tier is ${shown} in the service and ${tier} in the profile`,
      `Correct keys.${name}.tier if the profile is wrong`,
    );
  return ok(title, shown === undefined ? 'valid' : `valid, tier ${shown}`);
}

function actorPoint({ name, role, input, schemaAt }: Actor, exchange: Exchange): Point {
  const title = `actor ${tame(name, 60)}`;
  if (!succeeded(exchange))
    return problem(title, 'usage', `reading it got ${answered(exchange)}`, `Correct its name at actors.${role}`);
  if (input === undefined)
    return warning(title, 'it has no input', `Add one at actors.${role}, or point to its schema with \`schema_at\``);
  // No rule makes inputs for it.
  if (role === 'crashing') return ok(title, 'reading it works');
  return schemaAt === undefined
    ? note(
        title,
        'reading it shows no schema',
        'Point to it with `schema_at`, or add it as `schema`: input rules need it',
      )
    : ok(
        title,
        `its schema ${schemaAt === 'profile' ? 'is in the profile' : schemaAt === '' ? 'is the whole answer' : `is at ${schemaAt}`}`,
      );
}

async function adminPoint({ session }: Visit): Promise<Point> {
  const { admin } = session.subject;
  const title = 'admin';
  if (admin?.token === undefined)
    return note(
      title,
      `there is no admin token, so key management is not tested; from outside it ${await fromOutside(session)}`,
    );
  if (!admin.operations.includes('list'))
    return note(
      title,
      'the token cannot be tested, because the profile does not say how to list keys',
      'Add list: { method: GET } to admin',
    );
  const exchange = await adminAsker(session, asking(), (sending) => session.recorder.send(sending)).list();
  if (succeeded(exchange)) return ok(title, 'the token opens the admin interface');
  return problem(
    title,
    'usage',
    `listing keys with the token got ${answered(exchange)}`,
    'Correct admin.token or admin.list',
  );
}

const looks: Readonly<Record<AdminState, string>> = {
  open: 'is open to everybody',
  refuses: 'refuses calls without a token, so it seems to be enabled',
  disabled: 'looks disabled',
  unsure: 'gives no clear answer',
};

async function fromOutside(session: Session): Promise<string> {
  const get = async (target: string): Promise<Exchange> =>
    (await session.recorder.send(rawRequest(session, { method: 'GET', target, key: null }, asking()))).exchange;
  const without = await get(session.subject.admin?.collection ?? '/v1/admin/keys');
  return looks[
    succeeded(without) ? 'open' : adminState(without, undefined, await get(`/v1/${word(session.random, 12)}`))
  ];
}

async function disabledPoint({ session }: Visit): Promise<Point> {
  const title = 'disabled';
  const defaults = asking(session.subject.disabled?.key, 'disabled');
  const { exchange } = await session.recorder.send(verifyRequest(session, {}, defaults));
  if (exchange.response === undefined)
    return problem(
      title,
      'usage',
      `the second instance: ${answered(exchange)}`,
      'Start it, or correct disabled.address',
    );
  const { admin } = session.subject;
  if (admin?.token === undefined || !admin.operations.includes('list')) return ok(title, 'the second instance answers');
  const send = (sending: Sending) => session.recorder.send(sending);
  const listed = await adminAsker(session, defaults, send).list({ instance: 'disabled' });
  return succeeded(listed)
    ? warning(title, 'the second instance accepts admin calls', 'Start it without an admin token: that is its purpose')
    : ok(title, 'the second instance answers, and accepts no admin calls');
}

async function sourcesPoint({ session }: Visit, actor: Actor, entitled: Key): Promise<Point> {
  const title = 'sources';
  const newNonce = (): string => word(session.random, 16);
  const { exchange } = await session.recorder.send(
    runRequest(session, {}, { ...asking(actor.entitledKey ?? entitled), actor }, newNonce),
  );
  const hits = exchange.planted?.sources.filter(({ token }) => session.sources.reached(token) > 0) ?? [];
  if (hits.length > 0) return ok(title, `the service reaches our sources (tried with ${tame(actor.name, 60)})`);
  return problem(
    title,
    'usage',
    `a run of ${tame(actor.name, 60)} got ${answered(exchange)} and never read our source`,
    'Set sources: { listen: 0.0.0.0, advertise: … } with a name by which the service reaches this machine, or correct the input',
  );
}

function limitPoint({ exchanges, waitedMs }: Visit): Point {
  const { refused, near, told } = limitsOf(exchanges, waitedMs());
  const says = told.length === 0 ? '' : `; the service says ${told.join(', ')}`;
  if (refused > 0)
    return warning(
      'limits',
      `${refused} of ${exchanges.length} calls got 429${says}`,
      'Use a key with higher limits, or allow more time: bounds: { max_wait: 5m } and concurrency: 1',
    );
  return near
    ? note('limits', `few requests are left${says}`)
    : ok('limits', `${exchanges.length} calls met none${says}`);
}
