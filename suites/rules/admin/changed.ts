/** What a change of its tier makes of a key: the tier that was asked for last, and nothing else of any other key. */
import {
  type Exchange,
  isObject,
  type Json,
  member,
  rule,
  type Subject,
  statusFits,
  succeeded,
  violation,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { tagIn } from '../../language/answers.ts';
import { everything, patience } from '../../language/asking.ts';
import { expectTier, expectVerified, expectVerifiedWithTier, isSameTier } from '../../language/expectations.ts';
import { inapplicableIf, inconclusiveIf, showsIdentifier, showsKey, succeeds } from '../../language/gates.ts';
import {
  aKey,
  anotherTier,
  duringARun,
  knownTiers,
  ofTier,
  requestedTier,
  type Sort,
  settling,
  sortsOfKeys,
  tierOfNewKeys,
  yetAnotherTier,
} from '../../language/issued-keys.ts';
import { parsed } from './payloads.ts';

/** A cache that keeps what is used often has something to keep. */
const manyUses = 4;

interface Changing extends Sort {
  /** While a run waits for a source that is too slow. */
  readonly whileItRuns?: true;
}

const casesOf = ({ admin, actors }: Subject): readonly Changing[] => [
  ...sortsOfKeys(admin),
  ...(actors.sources.length === 0
    ? []
    : [{ name: 'a key that is changed while it runs', wanted: {}, whileItRuns: true as const }]),
];

type About = {
  readonly tier: string | null;
  readonly tiers: readonly string[];
  /** Runs of other times changed live keys alone, and none while it ran. */
  readonly ofTest?: boolean;
  readonly whileItRuns?: boolean;
};

export const changedTier = rule({
  id: 'admin.changed-tier',
  clause: clauses.changeIsKnown,
  needs: ['admin.create', 'admin.change'],
  without: everything,
  cases: casesOf,
  deadlineMs: (subject) => 2 * patience(subject),
  about: ({ subject, case: { wanted, whileItRuns } }): About => ({
    tier: tierOfNewKeys(subject),
    tiers: knownTiers(subject),
    ofTest: wanted.environment === 'test',
    whileItRuns: whileItRuns === true,
  }),
  async *ask(ask) {
    const { admin, verify, line, subject } = ask;
    const { wanted, whileItRuns } = ask.case;
    const { issued, key } = yield* aKey(ask, wanted);
    // What is changed for the tier instead of the key shows by another key of it.
    const { key: neighbour } = wanted.environment === undefined ? await admin.create() : {};
    const beside = neighbour === undefined ? null : await verify({ key: neighbour });
    // Who remembers a key remembers its tier.
    const on = line();
    for (let use = 1; use < manyUses; use += 1) await verify({ key, on });
    const before = await verify({ key });
    yield { before };
    const follows = isSameTier(member(before, 'tier'), tierOfNewKeys(subject) ?? undefined);
    const change = async (to: string | undefined): Promise<readonly [Exchange, Exchange]> => {
      const act = () => admin.change(issued, ofTier(to));
      const changed = await (whileItRuns ? duringARun(ask, key, act) : act());
      const said = tierSaidIn(changed, knownTiers(subject));
      const settle = settling(ask);
      const isSettled = (answer: Exchange): boolean =>
        follows || wanted.environment === undefined ? isSameTier(member(answer, 'tier'), said) : succeeded(answer);
      return [changed, await settle(() => verify({ key }), isSettled)];
    };
    const [changed, after] = await change(anotherTier(subject));
    yield { changed, after };
    const tag = tagIn(before);
    const isOther = !isSameTier(member(before, 'tier'), member(after, 'tier'));
    const asking = () => verify({ key, headers: [['If-None-Match', tag ?? '']] });
    yield {
      tagged: tag !== undefined && isOther ? await settling(ask)(asking, (answer) => !statusFits(answer, 304)) : null,
    };
    yield { neighbour: beside && neighbour ? { before: beside, after: await verify({ key: neighbour }) } : null };
    const again = yetAnotherTier(subject);
    yield { again: again === undefined ? null : await change(again) };
    const first = tierOfNewKeys(subject) ?? undefined;
    yield { back: again === undefined || first === undefined || first === again ? null : await change(first) };
  },
  given: ({ created, before, changed }, { tier, tiers, ofTest = false, whileItRuns = false }) => [
    showsKey(created),
    showsIdentifier(created),
    succeeds(before, 'verifying a new key'),
    inconclusiveIf(
      !ofTest && !!before && !!created && expectVerifiedWithTier(before, requestedTier(created, tier)).length > 0,
      'a new key does not verify with the requested tier; another rule reports that',
    ),
    inapplicableIf(ofTest && !!changed && statusFits(changed, '4xx'), 'the service changes no test keys'),
    inapplicableIf(
      whileItRuns && !!changed && statusFits(changed, '4xx'),
      'the service changes no key that has a run under way',
    ),
    succeeds(changed, 'changing it'),
    inapplicableIf(
      !!changed && isNoChange(member(before!, 'tier'), tierSaidIn(changed, tiers)),
      'the change that the profile describes does not change the tier',
    ),
  ],
  // Runs of other times had no tags.
  judge(
    { before, changed, after, tagged = null, neighbour = null, again = null, back = null },
    { tier, tiers, ofTest = false },
  ) {
    // Whether test keys have a tier of their own is not said; that they stay valid is.
    const hasOwn = ofTest && !isSameTier(member(before, 'tier'), tier ?? undefined);
    const expectChanged = (change: Exchange, answer: Exchange) =>
      hasOwn ? expectVerified(answer) : expectTier(answer, tierSaidIn(change, tiers) ?? '');
    return [
      ...expectChanged(changed, after),
      ...(neighbour === null || expectVerified(neighbour.before).length > 0
        ? []
        : expectTier(neighbour.after, String(member(neighbour.before, 'tier')))),
      ...(tagged !== null && statusFits(tagged, 304)
        ? [violation(tagged, 'the answer with the new tier, because the tag is that of the old one', whatCame(tagged))]
        : []),
      // One change may be all that a service takes.
      ...[again, back].flatMap((each) => (each !== null && succeeded(each[0]) ? expectChanged(each[0], each[1]) : [])),
    ];
  },
  fix: 'Read the tier from the record on every request, or drop cached data of a key each time it changes.',
});

const isNoChange = (before: Json | undefined, asked: string | undefined): boolean =>
  asked === undefined || isSameTier(before, asked);

/** The one tier of the profile that is in what was sent. */
function tierSaidIn({ request }: Exchange, tiers: readonly string[]): string | undefined {
  const said = new Set(textsIn(parsed(request.body?.text ?? '') ?? null).filter((text) => tiers.includes(text)));
  return said.size === 1 ? [...said][0] : undefined;
}

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
