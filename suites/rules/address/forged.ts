/** What a caller may invent at an exhausted address: where it calls from, and as whom. */
import { cellOf, type Disguised, isTakenForStranger, type Round, rule, violation } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { inapplicableIf, inconclusiveIf } from '../../language/gates.ts';
import { isHeld, orNothing, probes, probing } from '../../language/probing.ts';
import { limitlessIn } from '../limit/asides.ts';

const namesIn = (rounds: readonly Round[]): readonly string[] => [...new Set(rounds.map(({ other }) => other))];

const strangersIn = (disguised: readonly Disguised[] | null | undefined): readonly Disguised[] =>
  limitlessIn(disguised ?? [], isTakenForStranger);

export const forgedHeader = rule({
  id: 'address.forged-header',
  clause: clauses.forgedAddressGainsNothing,
  needs: probes,
  ...probing,
  rests: 2.4,
  async *ask({ limits }) {
    const disguised = orNothing(await limits.disguisedAt());
    yield { disguised };
    const rounds = await limits.forged();
    // Where other names are other accounts, keys look as if they had another address.
    yield { rounds: strangersIn(disguised).length > 0 && 'ended' in rounds ? [] : rounds };
  },
  given: ({ rounds, disguised }) => [
    inapplicableIf(
      rounds?.length === 0 && strangersIn(disguised).length === 0,
      'the profile declares every such header as trusted',
    ),
    inconclusiveIf(
      rounds !== undefined &&
        rounds.length > 0 &&
        strangersIn(disguised).length === 0 &&
        !rounds.some(isHeld) &&
        namesIn(rounds).every((name) => cellOf(rounds, name) === 'unclear'),
      'the exhausted address did not stay refused for long enough',
    ),
  ],
  // Runs of other times have no disguises.
  judge: ({ rounds, disguised }) => [
    ...namesIn(rounds)
      .filter((name) => cellOf(rounds, name) === 'apart')
      .map((name) => {
        const [round] = rounds.filter(({ other }) => other === name);
        return violation(round?.answers[0], `an exhausted address to stay refused ${name}`, 'a success');
      }),
    ...strangersIn(disguised).map(({ other, answers, bursts }) => {
      const came = `${answers.length + bursts.flat().length} calls admitted, and none refused`;
      return violation(answers[0], `an exhausted address to stay refused ${other}`, came);
    }),
  ],
  fix: 'Trust a forwarded-for header only if your own proxy set it, and count an address whatever program it says it runs.',
});
