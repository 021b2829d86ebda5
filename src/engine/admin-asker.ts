/** Key management as the profile describes it. What is made here is remembered, and removed when the run ends. */
import type { AdminAsk, AdminOptions, Credential, Issued, Wanted } from '../model/ask.ts';
import { Inconclusive } from '../model/ask.ts';
import type { Exchange } from '../model/exchange.ts';
import { isObject, type Json } from '../model/json.ts';
import { Secret } from '../model/secret.ts';
import type { AdminOperation, Key } from '../model/subject.ts';
import type { ProfileOperation } from '../profile/profile.ts';
import type { Random } from '../random.ts';
import { anyWord, digits, label } from '../words.ts';
import type { Sending } from './recorder.ts';
import { type Defaults, opened, rawRequest, stackOf } from './requests.ts';
import type { Session } from './session.ts';
import { spelled } from './stacks.ts';

type Send = (sending: Sending) => Promise<{ exchange: Exchange; key?: Secret; id?: Secret }>;

/** Wrong tokens may be limited by themselves: the right one must not wait for them. */
const whoseToken = (token: Credential, right: Secret | undefined): string =>
  token === right
    ? 'the admin token'
    : token === null
      ? 'admin requests without a token'
      : 'admin requests with a wrong token';

/** Whether nothing can have been made: an answer that was lost, or one that shows nothing of a key, does not say so. */
const isRefusal = ({ response, failure }: Exchange): boolean =>
  response === undefined ? failure?.kind === 'not-sent' || failure?.kind === 'refused' : response.status >= 300;

/** A record that is not there. */
const nowhere = (random: Random): string => `${anyWord(random)}${digits(random, 6)}`;

/** The values of the placeholders. A placeholder alone in a string becomes its value, of any type; within text, it becomes text. */
type Parts = Readonly<Record<string, Json>>;

/** `{id}`, `{tier}`, `{mark}` and the other placeholders in every string of a body. */
export function filledIn(value: Json, parts: Parts): Json {
  if (typeof value === 'string') {
    const whole = Object.entries(parts).find(([name]) => value === `{${name}}`);
    return whole === undefined ? filledText(value, parts) : whole[1];
  }
  if (Array.isArray(value)) return value.map((each) => filledIn(each, parts));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filledIn(each, parts)]));
}

const filledText = (text: string, parts: Parts, encode = (part: string): string => part): string =>
  text.replaceAll(/\{(id|tier|mark|environment|features)\}/g, (found, name: string) => {
    const part = parts[name];
    return part === undefined ? found : encode(textOf(part));
  });

function textOf(part: Json): string {
  if (typeof part === 'string') return part;
  return Array.isArray(part) ? part.map(textOf).join(',') : JSON.stringify(part);
}

/** `mine` collects the names of what is made through this one, so that it can be removed when its step is done. */
export function adminAsker(session: Session, defaults: Defaults, send: Send, mine: string[] = []): AdminAsk {
  const { admin } = session.profile;
  const operations = session.subject.admin;

  const described = (name: AdminOperation): ProfileOperation => {
    const operation = admin?.[name];
    if (operation === undefined) throw new Inconclusive(`the profile does not say how to ${name} a key`);
    return operation;
  };

  /** With the token in its header. Which limit it counts against is unknown, so it has a gate of its own. */
  const withToken = (sending: Sending, options: AdminOptions): Sending => {
    const token = options.token === undefined ? (operations?.token ?? null) : options.token;
    const header = admin?.header ?? 'X-Admin-Token';
    return {
      ...sending,
      who: whoseToken(token, operations?.token),
      headers: [...(token === null ? [] : [[header, opened(session, token)] as const]), ...sending.headers],
    };
  };

  const requestFor = (operation: ProfileOperation, options: AdminOptions, parts: Parts, body?: string | Json) => {
    const sent = body === undefined && operation.body !== undefined ? filledIn(operation.body, parts) : body;
    const target = filledText(operation.path, parts, encodeURIComponent);
    return withToken(
      rawRequest(
        session,
        {
          method: options.method ?? operation.method,
          target,
          key: null,
          ...(sent === undefined
            ? {}
            : { body: typeof sent === 'string' ? sent : spelled(sent, stackOf(defaults, options)) }),
          ...(options.headers === undefined ? {} : { headers: options.headers }),
          ...(options.query === undefined ? {} : { query: options.query }),
          ...(options.version === undefined ? {} : { version: options.version }),
          ...(options.instance === undefined ? {} : { instance: options.instance }),
          ...(options.on === undefined ? {} : { on: options.on }),
        },
        defaults,
      ),
      options,
    );
  };

  const partsOf = (wanted: Wanted, id: string, mark = ''): Parts & { readonly tier: string } => ({
    id,
    mark,
    tier: wanted.tier ?? operations?.tier ?? '',
    features: wanted.features ?? operations?.features ?? [],
    environment: admin?.environments[wanted.environment ?? 'live'] ?? '',
  });

  const onRecord =
    (name: AdminOperation) =>
    async (issued: Pick<Issued, 'id'>, options: AdminOptions & Wanted & { readonly body?: string | Json } = {}) => {
      if (issued.id === undefined)
        throw new Inconclusive('the answer of create shows no identifier at the place that the profile names');
      const parts = partsOf(options, Secret.reveal(issued.id));
      return (await send(requestFor(described(name), options, parts, options.body))).exchange;
    };

  /** Whatever is made is remembered, also where it should have been refused. */
  const make = async (
    kind: string,
    tier: string,
    sending: (mark: string) => Sending,
    mark = label(session.random),
  ): Promise<Issued> => {
    const request = sending(mark);
    const name = session.newName(kind);
    session.made.begin(name, tier, mark);
    mine.push(name);
    const { at } = admin ?? {};
    const reveals = { key: at?.key ?? '/key', name, ...(at?.id === undefined ? {} : { id: at.id }) };
    const sent = await send({ ...request, reveals }).catch((error: unknown) => {
      // Interrupted before it was sent or while a limit refused it, or too much for the budget: nothing was made. Any other error,
      // such as a full disk, may come after the answer: the journal keeps the key then.
      if (error === session.signal?.reason || error instanceof Inconclusive) session.made.drop(name);
      else session.made.lose(name);
      throw error;
    });
    const { exchange, key: secret, id } = sent;
    const key: Key | undefined =
      secret === undefined
        ? undefined
        : { name, role: 'entitled', kind: 'issued', secret, ...(tier === '' ? {} : { tier }) };
    if (key === undefined && id === undefined && isRefusal(exchange)) session.made.drop(name);
    else session.made.settle({ name, ...(key === undefined ? {} : { key }), ...(id === undefined ? {} : { id }) });
    return {
      exchange,
      mark,
      created: { answer: exchange, name: secret?.name ?? null, identified: id !== undefined },
      ...(key === undefined ? {} : { key }),
      ...(id === undefined ? {} : { id }),
    };
  };

  return {
    async create(options = {}) {
      const { tier } = partsOf(options, '');
      const asked = (mark: string) =>
        requestFor(described('create'), options, partsOf(options, '', mark), options.body);
      const issued = await make('created', tier, asked, options.mark);
      const { newKeys, clock, signal } = session;
      if (issued.key !== undefined && newKeys.takeMs !== undefined) {
        newKeys.awaited += 1;
        await clock.sleep(newKeys.takeMs, signal);
      }
      return issued;
    },
    async list(options = {}) {
      return (await send(requestFor(described('list'), options, partsOf({}, '')))).exchange;
    },
    read: onRecord('read'),
    change: onRecord('change'),
    async revoke(issued, options = {}) {
      const exchange = await onRecord('revoke')(issued, options);
      const removed = exchange.response !== undefined && exchange.response.status < 300 && options.token === undefined;
      if (removed) session.made.dropById(issued.id);
      return exchange;
    },
    revoked: () => [...session.made.gone],
    former: ({ id }) => (id === undefined ? undefined : session.made.beginningOf(id)),
    isCounted: ({ id }) => id !== undefined && session.made.isCounted(id),
    async send(request) {
      return (await send(withToken(rawRequest(session, { ...request, key: null }, defaults), request))).exchange;
    },
    async attempt(operation, options = {}) {
      const sending = (mark = '') =>
        requestFor(described(operation), options, partsOf({}, nowhere(session.random), mark));
      return operation === 'create'
        ? (await make('created-unasked', partsOf({}, '').tier, sending)).exchange
        : (await send(sending())).exchange;
    },
  };
}
