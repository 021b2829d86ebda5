/** Key management as the profile describes it. What is made here is remembered, and removed when the run ends. */
import type { AdminAsk, AdminOptions, Credential, Issued } from '../model/ask.ts';
import { Inconclusive } from '../model/ask.ts';
import type { Exchange } from '../model/exchange.ts';
import { isObject, type Json } from '../model/json.ts';
import { Secret } from '../model/secret.ts';
import type { AdminOperation, Key } from '../model/subject.ts';
import type { ProfileOperation } from '../profile/profile.ts';
import { word } from '../random.ts';
import type { Sending } from './recorder.ts';
import { type Defaults, opened, rawRequest } from './requests.ts';
import type { Session } from './session.ts';

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
const nowhere = 'no-such-record';

/** `{id}`, `{tier}` and `{mark}` in every string of a body. */
export function filledIn(value: Json, parts: Readonly<Record<string, string>>): Json {
  if (typeof value === 'string')
    return value.replaceAll(/\{(id|tier|mark)\}/g, (whole, name: string) => parts[name] ?? whole);
  if (Array.isArray(value)) return value.map((each) => filledIn(each, parts));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filledIn(each, parts)]));
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

  /** With the token in its header; who is limited by it is not known, so it counts for itself. */
  const withToken = (sending: Sending, options: AdminOptions): Sending => {
    const token = options.token === undefined ? (operations?.token ?? null) : options.token;
    const header = admin?.header ?? 'X-Admin-Token';
    return {
      ...sending,
      who: whoseToken(token, operations?.token),
      headers: [...(token === null ? [] : [[header, opened(session, token)] as const]), ...sending.headers],
    };
  };

  const requestFor = (
    operation: ProfileOperation,
    options: AdminOptions,
    id: string,
    tier: string,
    body?: string | Json,
    mark = '',
  ) => {
    const sent =
      body === undefined && operation.body !== undefined ? filledIn(operation.body, { id, tier, mark }) : body;
    const target = operation.path
      .replaceAll('{id}', encodeURIComponent(id))
      .replaceAll('{tier}', encodeURIComponent(tier));
    return withToken(
      rawRequest(
        session,
        {
          method: operation.method,
          target,
          key: null,
          ...(sent === undefined ? {} : { body: typeof sent === 'string' ? sent : JSON.stringify(sent) }),
          ...(options.instance === undefined ? {} : { instance: options.instance }),
          ...(options.on === undefined ? {} : { on: options.on }),
        },
        defaults,
      ),
      options,
    );
  };

  const tierOf = (wanted: string | undefined): string => wanted ?? operations?.tier ?? '';

  const onRecord =
    (name: AdminOperation) =>
    async (issued: Pick<Issued, 'id'>, options: AdminOptions = {}) => {
      if (issued.id === undefined)
        throw new Inconclusive('the answer of create showed no identifier where the profile says it stands');
      const { exchange } = await send(
        requestFor(described(name), options, Secret.reveal(issued.id), tierOf(undefined)),
      );
      return exchange;
    };

  /** Whatever is made is remembered, also where it should have been refused. */
  const make = async (kind: string, tier: string, sending: (mark: string) => Sending): Promise<Issued> => {
    const mark = `touchstone-${word(session.random, 16)}`;
    const request = sending(mark);
    const name = session.newName(kind);
    session.made.begin(name, tier, mark);
    mine.push(name);
    const { at } = admin ?? {};
    const reveals = { key: at?.key ?? '/key', name, ...(at?.id === undefined ? {} : { id: at.id }) };
    const { exchange, key: secret, id } = await send({ ...request, reveals });
    const key: Key | undefined =
      secret === undefined
        ? undefined
        : { name, role: 'entitled', kind: 'issued', secret, ...(tier === '' ? {} : { tier }) };
    if (key === undefined && id === undefined && isRefusal(exchange)) session.made.drop(name);
    else session.made.settle({ name, ...(key === undefined ? {} : { key }), ...(id === undefined ? {} : { id }) });
    return {
      exchange,
      created: { answer: exchange, name: secret?.name ?? null, identified: id !== undefined },
      ...(key === undefined ? {} : { key }),
      ...(id === undefined ? {} : { id }),
    };
  };

  return {
    async create(options = {}) {
      const tier = tierOf(options.tier);
      return make('created', tier, (mark) => requestFor(described('create'), options, '', tier, options.body, mark));
    },
    async list(options = {}) {
      return (await send(requestFor(described('list'), options, '', tierOf(undefined)))).exchange;
    },
    read: onRecord('read'),
    change: onRecord('change'),
    async revoke(issued, options = {}) {
      const exchange = await onRecord('revoke')(issued, options);
      const removed = exchange.response !== undefined && exchange.response.status < 300 && options.token === undefined;
      if (removed) session.made.dropById(issued.id);
      return exchange;
    },
    async send(request) {
      return (await send(withToken(rawRequest(session, { ...request, key: null }, defaults), request))).exchange;
    },
    async attempt(operation, options = {}) {
      const tier = tierOf(undefined);
      const sending = (mark = '') => requestFor(described(operation), options, nowhere, tier, undefined, mark);
      return operation === 'create'
        ? (await make('created-unasked', tier, sending)).exchange
        : (await send(sending())).exchange;
    },
  };
}
