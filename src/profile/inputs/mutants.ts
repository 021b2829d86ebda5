/** Inputs with a single fault: proposed by faults.ts, kept where ajv finds them invalid at that one field and nowhere else. */
import type { Json } from '../../model/json.ts';
import type { Mutant } from '../../model/subject.ts';
import { fillPlausibly } from '../templates.ts';
import { faultsAt, type Proposal } from './faults.ts';
import { places, type Steps, withValue } from './places.ts';
import { Kept, prepare } from './prepare.ts';
import type { Validate, Violation } from './validator.ts';

/** Of each fault, before ajv looks at any. */
const mostProposals = 80;

const kept = new Kept<readonly Mutant[]>(256);

export function mutantsOf(schema: Json, valid: Json, max = 48): readonly Mutant[] {
  const prepared = prepare(schema);
  if (!prepared.usable) return [];
  return kept.get(`${max}\n${prepared.text}\n${JSON.stringify(valid)}`, () => {
    if (prepared.validate(fillPlausibly(valid))?.length !== 0) return [];
    const proposals = new Map<string, Proposal[]>();
    for (const place of places(prepared.root, valid))
      for (const proposal of faultsAt(prepared.root, place)) {
        const same = proposals.get(proposal.fault) ?? [];
        proposals.set(proposal.fault, same);
        if (same.length < mostProposals) same.push(proposal);
      }
    return chosen(proposals, valid, prepared.validate, max);
  });
}

/** Every missing field, for each has a right to its turn; then one of each other fault in turn, until there is no more room. */
function chosen(proposals: Map<string, Proposal[]>, valid: Json, validate: Validate, max: number): Mutant[] {
  const missing = proposals.get('missing') ?? [];
  proposals.delete('missing');
  const lines = [...proposals.values()].map((each) => each.sort((a, b) => a.rank - b.rank));
  const longest = Math.max(0, ...lines.map((line) => line.length));
  const inTurn = Array.from({ length: longest }, (_, turn) =>
    lines.flatMap((line) => line.slice(turn, turn + 1)),
  ).flat();
  const mutants: Mutant[] = [];
  const seen = new Set<string>();
  const patterned = new Set<string>();
  for (const proposal of [...missing, ...inTurn]) {
    if (mutants.length >= max) break;
    const field = proposal.among ?? fieldOf(proposal.path).join('.');
    // Several texts are proposed against a pattern; one that fails it is enough.
    const pattern = `${field} ${proposal.apart}`;
    if (proposal.fault === 'pattern' && patterned.has(pattern)) continue;
    const changed = withValue(valid, proposal.path, proposal.put);
    const { also } = proposal;
    const input = also === undefined ? changed : withValue(changed, also.path, also.put);
    const text = JSON.stringify(input);
    if (seen.has(text) || !isSingleFault(proposal, validate(fillPlausibly(input)))) continue;
    seen.add(text);
    if (proposal.fault === 'pattern') patterned.add(pattern);
    const trims = proposal.trims === undefined ? undefined : withValue(valid, proposal.path, proposal.trims);
    const isWrongToo = trims !== undefined && isSingleFault(proposal, validate(fillPlausibly(trims)));
    const beyond = (proposal.beyond ?? [])
      .map((put) => withValue(valid, proposal.path, put))
      .filter((each) => isSingleFault(proposal, validate(fillPlausibly(each))));
    mutants.push({
      fault: proposal.fault,
      field,
      input,
      ...(isWrongToo && { trims }),
      ...(beyond.length > 0 && { beyond }),
    });
  }
  return mutants;
}

/** An item has no name of its own: its list is what an explanation names. */
function fieldOf(path: Steps): Steps {
  const last = path.findLastIndex((step) => typeof step === 'string');
  return path.slice(0, last + 1);
}

function isSingleFault(proposal: Proposal, violations: readonly Violation[] | undefined): boolean {
  const { path, keywords, also, among } = proposal;
  if (violations === undefined || violations.length === 0) return false;
  if (among !== undefined) return violations.every((each) => isAmong(each, path, keywords));
  const from = fieldOf(path).length;
  const isHere = (violation: Violation): boolean => {
    const where = whereOf(violation);
    return (
      where.length >= from && where.length <= path.length && where.every((step, index) => step === String(path[index]))
    );
  };
  // In another spelling, the member is also one that a closed schema does not list.
  const isOfOther = (violation: Violation): boolean =>
    also !== undefined && unlisted.has(violation.keyword) && whereOf(violation).join('/') === also.path.join('/');
  const isMeant = keywords.length === 0 || violations.some(({ keyword }) => keywords.includes(keyword));
  return isMeant && violations.every((each) => isHere(each) || isOfOther(each));
}

/** At this place or below it, and by one of these keywords, or by what stands inside of one. */
function isAmong(violation: Violation, path: Steps, keywords: readonly string[]): boolean {
  const where = whereOf(violation);
  const by = violation.schemaPath.split('/');
  return path.every((step, at) => String(step) === where[at]) && keywords.some((keyword) => by.includes(keyword));
}

const unlisted: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties']);

/** The member that a violation is about; ajv names a missing or unknown one next to the path. */
function whereOf({ instancePath, params, propertyName }: Violation): string[] {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const named = ['missingProperty', 'additionalProperty', 'unevaluatedProperty'].map((name) => params[name] as unknown);
  const member = propertyName ?? named.find((each) => typeof each === 'string');
  return typeof member === 'string' ? [...steps, member] : steps;
}
