/** The first profile of a service, with comments for its next editor. Pure; what it writes is read back before it is kept. */
import type { Json } from '../model/json.ts';
import type { Seen, SeenActor, SeenKey, SeenRuns } from './seen.ts';
import { tame } from './signs.ts';

/** JSON is YAML. Text from a service must not refer to our environment and files: `${` is doubled. */
const value = (json: Json): string =>
  JSON.stringify(json)
    .replaceAll('${', () => '$${')
    .replaceAll(
      /[\u007f-\u009f\u2028\u2029\ufeff]/g,
      (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );

const comment = (text: string): string => `# ${tame(text, 400)}`;

export function profileText(seen: Seen): string {
  return `${[
    '# yaml-language-server: $schema=./node_modules/touchstone/schema/profile.json',
    '# Written by `touchstone init`; edit it freely. Complete the lines that begin with #:',
    '# `touchstone doctor` says which rules each of them would unlock.',
    `address: ${value(seen.address)}`,
    '',
    ...keyLines(seen),
    '',
    ...actorLines(seen),
    '',
    ...adminLines(seen),
    '',
    ...disabledLines(),
    '',
    ...sourceLines(seen),
    '',
    ...boundLines(seen),
  ].join('\n')}\n`;
}

function keyLines({ keys }: Seen): string[] {
  const usable = keys.filter(({ works }) => works);
  const head = [
    '# Keys come from the environment and are never printed. `tier` is compared with what the service reports.',
    usable.length === 0 ? '# keys:' : 'keys:',
  ];
  const lines = keys.map((key) =>
    key.works ? keyLine(key) : `  # ${keyLine(key).trim()}   # refused: ${tame(key.came ?? '')}`,
  );
  const offer = (name: string, role: string, says: string): string[] =>
    keys.some((key) => key.name === name)
      ? []
      : [`  # ${name}: { value: "\${env:TOUCHSTONE_${role}_KEY}" }   # ${says}`];
  return [
    ...head,
    ...lines,
    ...offer('main', 'API', 'almost no rule can be asked without a key'),
    ...offer('test', 'TEST', 'a key that begins with vk_test_'),
    ...(keys.some(({ role }) => role === 'restricted')
      ? []
      : ['  # limited: { value: "${env:TOUCHSTONE_RESTRICTED_KEY}", role: restricted }   # may not run some actor']),
    '# tiers: [lowest, higher, highest]   # all of them: limits must not fall from one to the next',
    '# limits: { documented: { key: { requests: 5, per: 1s } } }   # how high they are; by tier: documented: { tiers: { pro: … } }',
  ];
}

const keyLine = ({ name, variable, role, tier }: SeenKey): string =>
  `  ${name}: { value: "\${env:${variable}}"${tier === undefined ? '' : `, tier: ${value(tier)}`}${role === 'restricted' ? ', role: restricted' : ''} }`;

const offers: Readonly<Record<string, string>> = {
  clean: '{ name: …, input: { … } }   # works with its input',
  echo: '{ name: …, input: { …: "{{nonce}}" } }   # its items contain its input',
  sources: '{ name: …, input: { …: ["{{source.ok}}", "{{source.ok2}}"] } }   # reads the addresses in its input',
  restricted: '{ name: …, input: { … } }   # one key may run it, another may not',
  crashing: '{ name: …, input: { … } }   # fails inside on this input',
};

const entry = (name: string, input: Json): string => `{ name: ${value(name)}, input: ${value(input)} }`;

/** By role, the entries that were seen to work in it. What was not tried is no reason to accuse a service. */
function rolesOf(actors: readonly SeenActor[]): Readonly<Record<string, readonly string[]>> {
  const of = (pick: (runs: SeenRuns) => Json | undefined): string[] =>
    actors.flatMap(({ name, runs }) => {
      const input = runs === undefined ? undefined : pick(runs);
      return input === undefined ? [] : [entry(name, input)];
    });
  return {
    clean: of(({ echo, clean }) => (echo === undefined ? clean : undefined)),
    echo: of(({ echo }) => echo),
    sources: of(({ sources }) => sources),
    restricted: of(({ refusedTo, sources, clean }) => (refusedTo === undefined ? undefined : (sources ?? clean))),
  };
}

function actorLines({ actors, listed }: Seen): string[] {
  const roles = rolesOf(actors);
  const any = Object.values(roles).some((entries) => entries.length > 0);
  const lines = Object.entries(offers).flatMap(([role, offer]) => {
    const entries = roles[role] ?? [];
    if (entries.length === 0) return [`${any ? '  # ' : '#   '}${role}: ${offer}`];
    return entries.length === 1
      ? [`  ${role}: ${entries[0]}`]
      : [`  ${role}:`, ...entries.map((each) => `    - ${each}`)];
  });
  const untried = actors.flatMap(({ name, runs, input }) =>
    runs === undefined && input !== undefined ? [`#   clean: ${entry(name, input)}   # not tried`] : [],
  );
  const others = listed.filter((name) => !actors.some((actor) => actor.name === name));
  return [
    '# Actors by role. Inputs are sent as they are here, and appear in the report.',
    ...(others.length === 0 ? [] : [comment(`The service lists more: ${others.slice(0, 20).join(', ')}`)]),
    ...actors.flatMap(remarkOn),
    any ? 'actors:' : '# actors:',
    ...untried,
    ...lines,
  ];
}

function remarkOn({ name, came, schemaAt, schemaFault, input, runs }: SeenActor): string[] {
  const shown = JSON.stringify(name);
  if (came !== undefined) return [comment(`${shown}: reading it got ${came}`)];
  if (schemaFault !== undefined)
    return [comment(`${shown}: its schema, at "${schemaAt}", cannot be used: ${schemaFault}`)];
  if (schemaAt === undefined) return [comment(`${shown}: reading it shows no schema; point to it with \`schema_at\``)];
  if (input === undefined) return [comment(`${shown}: no input could be made from its schema; add one as \`input\``)];
  const where = schemaAt === '' ? 'is the whole answer' : `is at ${schemaAt}`;
  if (runs === undefined)
    return [
      comment(
        `${shown}: its schema ${where}; the input was made from it and not tried: use --run, or remove the # if it works`,
      ),
    ];
  if (runs.reads)
    return [
      comment(
        `${shown}: its schema ${where}; it reads the addresses in its input, but its items do not show what is there`,
      ),
    ];
  if (runs.failed !== undefined)
    return [comment(`${shown}: its schema ${where}; run with ${value(input)} it got ${runs.failed}`)];
  return [comment(`${shown}: its schema ${where}; it ran with this input`)];
}

function adminLines({ admin }: Seen): string[] {
  const state = {
    open: 'the token opens it',
    refuses: 'it refuses calls without a token, so it seems to be enabled',
    disabled: 'it looks disabled from outside',
    unsure: 'it gave no clear answer',
  }[admin];
  const open = admin === 'open';
  const sign = open ? '' : '# ';
  return [
    `# The admin interface: ${state}. With its description, a run creates and removes keys.`,
    `${sign}admin:`,
    `${sign}  token: "\${env:TOUCHSTONE_ADMIN_TOKEN}"`,
    `${sign}  list: { method: GET }`,
    '#   tier: …   # of the keys that a run creates',
    '#   create: { method: POST, body: { tier: "{tier}" }, key: /key, id: /id }   # JSON Pointers into its answer',
    '#   read: { method: GET, path: "/v1/admin/keys/{id}" }',
    '#   revoke: { method: DELETE, path: "/v1/admin/keys/{id}" }',
    '#   change: { method: PATCH, path: "/v1/admin/keys/{id}", body: { tier: … } }',
  ];
}

const disabledLines = (): string[] => [
  '# A second instance of the same software that runs without an admin token.',
  '# disabled: { address: "http://127.0.0.1:8081" }',
];

const isLoopback = (address: string): boolean =>
  /^https?:\/\/(?:127\.|localhost[:/]|localhost$|\[::1\])/i.test(address);

const sourceLines = ({ address }: Seen): string[] => [
  '# Touchstone serves {{source.ok}} and the others itself; the service must be able to reach it.',
  isLoopback(address)
    ? '# sources: { listen: 0.0.0.0, advertise: host.docker.internal }   # if the service runs in a container'
    : '# sources: { listen: 0.0.0.0, advertise: … }   # the name by which the service reaches this machine',
];

function boundLines({ limits }: Seen): string[] {
  const told =
    limits.told.length === 0 ? [] : [comment(`The service says about its limits: ${limits.told.join(', ')}`)];
  const near = limits.near
    ? [
        comment(
          limits.refused > 0
            ? `It answered 429 ${limits.refused} times during the few calls of init: a run will have to wait. A key with higher limits makes it fast.`
            : 'Few requests are left: a run will have to wait.',
        ),
        'concurrency: 1',
        'bounds: { max_wait: 5m, patience: 1m }',
      ]
    : ['# concurrency: 8', '# bounds: { timeout: 10s, upstream: 5s, revocation: 5s }'];
  return [
    '# How much at once, and how long things may take. `upstream` sets a bound for runs with slow sources.',
    ...told,
    ...near,
  ];
}
