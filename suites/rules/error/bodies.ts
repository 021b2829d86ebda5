import {
  type Exchange,
  expectJsonContentType,
  expectStatus,
  isEqualButForCase,
  isEqualButForNormalForm,
  kindOf,
  member,
  type RequestOptions,
  rule,
  succeeded,
  sweep,
  violation,
  warning,
  withoutPercent,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import {
  actorNamed,
  hasBodyByRight,
  holdsObject,
  isAdmin,
  isError,
  oddActorNamed,
  segmentNamed,
} from '../../language/answers.ts';
import { eachSaying, invented, nameless } from '../../language/asking.ts';
import { echoesIn } from '../../language/echoes.ts';
import { internalsIn } from '../../language/internals.ts';
import { plainVerify } from '../../language/twins.ts';

const inOtherCase = (name: string): string => (name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase());

/** Another spelling of one name: its case, its normal form, escapes of a path. */
const isSameName = (one: string, other: string): boolean =>
  isEqualButForCase(withoutPercent(one), withoutPercent(other));

/** The name in its other normal form; undefined if it has one only. */
const inOtherForm = (name: string): string | undefined =>
  [name.normalize('NFD'), name.normalize('NFC')].find((other) => other !== name);

/** What is decoded as a form's field, twice, not at all, in another character set, or escaped for a page. The last is of four bytes. */
const oddLetters = ['+', '&', '%2B', '%26', '%3C', '%20', '%C3%A9', '%F0%9F%98%80'];

const actorStatuses = new Set([400, 401, 403, 404, 422, 429, 500, 502, 504]);

export const namesTheActor = sweep({
  id: 'error.names-the-actor',
  clause: clauses.errorNamesTheActor,
  needs: ['key'],
  ofActors: true,
  async provoke({ read, run, subject, random }) {
    const [actor] = subject.actors.clean;
    const odd: Exchange[] = [];
    for (const letter of oddLetters) odd.push(await read({ actor: `${invented(random)}${letter}${nameless(random)}` }));
    return {
      unknown: await read({ actor: invented(random) }),
      // Longer than what logs and records keep of a name.
      long: await read({ actor: `${invented(random)}${'-of-a-length'.repeat(10)}` }),
      odd,
      failed: actor === undefined ? null : await run({ actor, body: '{"cut": ' }),
      // Whether names have case is left open, and this shows it.
      turned: actor === undefined ? null : await read({ actor: encodeURIComponent(inOtherCase(actor.name)) }),
      reformed:
        actor === undefined || inOtherForm(actor.name) === undefined
          ? null
          : await read({ actor: encodeURIComponent(inOtherForm(actor.name) ?? '') }),
    };
  },
  includes: (exchange, scene) =>
    actorStatuses.has(exchange.response?.status ?? 0) &&
    holdsObject(exchange) &&
    ((hasBodyByRight(exchange, scene) && actorNamed(exchange, scene) !== undefined) ||
      oddActorNamed(exchange) !== undefined),
  judge(exchange, scene, brought) {
    const name = actorNamed(exchange, scene) ?? oddActorNamed(exchange) ?? '';
    const named = member(exchange, 'actor');
    if (named === name || named === segmentNamed(exchange)) return [];
    const came = `${kindOf(named)}, but the path names "${name}"`;
    if (typeof named !== 'string' || !isSameName(named, name))
      return [violation(exchange, '`actor` to be the name in the path', came)];
    const shown = isEqualButForNormalForm(withoutPercent(named), name)
      ? brought.map(({ reformed }) => reformed)
      : brought.map(({ turned }) => turned);
    return shown.some((each) => each && succeeded(each))
      ? []
      : [warning(exchange, '`actor` to be the name exactly as in the path', came)];
  },
  fix: 'Put the name from the path into `actor` of every error on that route, even if no such actor exists.',
});

export const jsonContentType = sweep({
  id: 'error.json-content-type',
  clause: clauses.jsonSaysSo,
  needs: ['key'],
  provoke: ({ verify }) => verify({ key: null }),
  includes: (exchange, scene) => hasBodyByRight(exchange, scene) && !isAdmin(exchange) && holdsObject(exchange),
  judge: expectJsonContentType,
  fix: 'Send `Content-Type: application/json` with every JSON body, errors included.',
});

export const internalFailure = rule({
  id: 'error.internal-failure',
  clause: clauses.serverErrorIs500,
  needs: ['key', 'crashing'],
  actor: 'crashing',
  twin: plainVerify,
  answering: true,
  ask: ({ run }) => run(),
  judge: (exchange) => expectStatus(exchange, 500),
  fix: 'Catch what an actor throws, and answer 500 with the same body as all errors.',
});

/** Anybody can ask for it. */
const inDebugging: readonly Pick<RequestOptions, 'headers' | 'respell'>[] = [
  { respell: (path) => `${path}?debug=1&verbose=1&trace=1` },
  { headers: eachSaying('1', 'X-Debug', 'X-Debug-Mode', 'X-Verbose', 'X-Trace') },
];

export const noInternals = sweep({
  id: 'error.no-internals',
  clause: clauses.noInternals,
  needs: ['key'],
  async provoke({ send, run, subject, random }) {
    const target = `/v1/${nameless(random)}`;
    const [crashing] = subject.actors.crashing;
    const [actor] = subject.actors.clean;
    const failed: Exchange[] = [];
    for (const how of inDebugging) {
      failed.push(await send({ method: 'GET', target, ...how }));
      if (crashing) failed.push(await run({ actor: crashing, ...how }));
      if (actor) failed.push(await run({ actor, body: '{"cut": ', ...how }));
    }
    return { plain: await send({ method: 'GET', target }), failed };
  },
  includes: isError,
  judge: (exchange) =>
    internalsIn(exchange).map(({ what, shown }) =>
      violation(exchange, 'an error without internals', `${what}: ${shown}`),
    ),
  fix: 'Write stack traces, paths and queries to your log, and tell the client what to do instead.',
});

/** The one answer that shows a key by right: the one that made it. */
const mayShowKey = (exchange: Exchange): boolean =>
  isAdmin(exchange) && !isError(exchange) && exchange.request.method !== 'GET';

export const noSecrets = sweep({
  id: 'error.no-secrets',
  clause: clauses.noSecrets,
  needs: ['key'],
  provoke: ({ verify }) => verify({ key: 'vk_live_' }),
  // A body that is no text, or has a wrong Content-Encoding, proves nothing unless something was found in it.
  includes: (exchange) =>
    !mayShowKey(exchange) &&
    ((exchange.failure === undefined && exchange.response?.body.text !== undefined) || echoesIn(exchange).length > 0),
  judge: (exchange) => echoesIn(exchange).map((echo) => violation(exchange, 'an answer without keys and tokens', echo)),
  fix: 'Do not repeat the value of X-API-Key or X-Admin-Token, not even if it is invalid or encoded.',
});
