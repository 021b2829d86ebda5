/** The operations of the admin interface, asked with a token that is right, wrong or not there. */
import {
  type AdminOperation,
  type AdminOptions,
  type Ask,
  type Case,
  type Created,
  type Credential,
  type Exchange,
  expectStatus,
  type Issued,
  type Line,
  member,
  type Reason,
  Secret,
  type Subject,
} from '../../src/vocabulary.ts';
import { expectVerified, expectVerifiedWithTier } from './expectations.ts';
import { showsIdentifier, succeeds } from './gates.ts';
import { anotherTier, ofTier } from './issued-keys.ts';

/** Those that the profile describes; one on a record needs `create`, for no record is touched that the run did not make. */
export function operationsOf({ admin }: Subject): readonly AdminOperation[] {
  const known = admin?.operations ?? [];
  return known.includes('create') ? known : known.filter((operation) => operation === 'list');
}

/** The one that changes least. */
export const gentlest = (subject: Subject): AdminOperation | undefined =>
  operationsOf(subject).find((operation) => operation === 'list') ?? operationsOf(subject)[0];

export const noOperation =
  'the profile describes no operation of the admin interface: add `admin.list` or `admin.create`';

export interface Operation extends Case {
  readonly operation: AdminOperation;
}

export const operationCases = (subject: Subject): readonly Operation[] | string => {
  const operations = operationsOf(subject);
  return operations.length === 0 ? noOperation : operations.map((operation) => ({ name: operation, operation }));
};

/** Rules that ask for it need it. */
export const tokenOf = ({ admin }: Subject): Secret => admin?.token ?? new Secret('no-token', '');

type Performing = Pick<Ask<unknown>, 'admin' | 'verify' | 'line' | 'subject'>;

const isOnRecord = (operation: AdminOperation): boolean => operation !== 'list' && operation !== 'create';

/** A record for operations on one, made with the right token. */
const recordFor = async ({ admin }: Performing, operation: AdminOperation, on?: Line): Promise<Issued | null> =>
  isOnRecord(operation) ? admin.create(on && { on }) : null;

export async function send(
  { admin, subject }: Performing,
  operation: AdminOperation,
  record: Issued | null,
  options: AdminOptions,
) {
  if (operation === 'list') return admin.list(options);
  if (operation === 'create' || record === null) return (await admin.create(options)).exchange;
  // Where a change may choose, it shows: to another tier.
  return admin[operation](record, { ...options, ...(operation === 'change' ? ofTier(anotherTier(subject)) : {}) });
}

type OptionsFor<Options> = Options | ((record: Issued | null) => Options);

const optionsFor = <Options extends object>(options: OptionsFor<Options>, record: Issued | null): Options =>
  typeof options === 'function' ? options(record) : options;

/** One operation with a credential; where it would change a key, verifying that before and after. `on`: what goes before and after it. */
export async function* perform(
  ask: Performing,
  operation: AdminOperation,
  options: OptionsFor<AdminOptions>,
  on?: Line,
) {
  const record = await recordFor(ask, operation, on);
  yield { created: record?.created ?? null };
  const key = operation === 'read' ? undefined : record?.key;
  yield { before: key === undefined ? null : await ask.verify({ key, ...(on && { on }) }) };
  yield { exchange: await send(ask, operation, record, optionsFor(options, record)) };
  yield { after: key === undefined ? null : await ask.verify({ key, ...(on && { on }) }) };
}

/** The operation with a wrong credential, after it has succeeded with the right one on the same connection. */
export async function* refusedBeside(
  ask: Performing,
  operation: AdminOperation,
  token: Credential,
  otherwise: OptionsFor<Pick<AdminOptions, 'query' | 'headers' | 'method' | 'version'>> = {},
) {
  const on = ask.line();
  const record = await recordFor(ask, operation, on);
  yield { recorded: record?.created ?? null };
  yield { right: await send(ask, operation, record, { on }) };
  yield* perform(ask, operation, (made) => ({ ...optionsFor(otherwise, made), on, token }), on);
}

export const rightTokenWorks = (
  so: { readonly recorded?: Created | null; readonly right?: Exchange; readonly created?: Created | null },
  operation: string,
) => [
  showsIdentifier(so.recorded),
  succeeds(so.right, `${operation} with the right token`),
  showsIdentifier(so.created),
];

/** Refused, and without effect: the key of the record verifies as before. */
export function expectRefused({ exchange, before, after }: Changed): readonly Reason[] {
  const refused = expectStatus(exchange, '4xx');
  if (refused.length > 0 || before === null || after === null || expectVerified(before).length > 0) return refused;
  const tier = member(before, 'tier');
  return expectVerifiedWithTier(after, typeof tier === 'string' ? tier : null);
}

interface Changed {
  readonly exchange: Exchange;
  readonly before: Exchange | null;
  readonly after: Exchange | null;
}
