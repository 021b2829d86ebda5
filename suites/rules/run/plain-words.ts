/** Values as people write them: nothing in them is unlike anything else, and still each run gives its own. */
import {
  anyWord,
  type Case,
  type Exchange,
  holdsText,
  type Json,
  member,
  rule,
  statusFits,
  succeeded,
  violation,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { echoes } from '../../language/answers.ts';
import { everything } from '../../language/asking.ts';
import { inapplicableIf, inconclusiveIf, succeeds } from '../../language/gates.ts';
import { inputOf, leavesOf, withLeaf } from '../../language/leaves.ts';

interface Wording extends Case {
  readonly between: string;
}

const turns = 3;

const holds = (exchange: Exchange, words: string): boolean => holdsText(member(exchange, 'items'), words);

export const plainWords = rule({
  id: 'run.plain-words',
  clause: clauses.runGivesItsOwnItems,
  needs: ['key', 'echo'],
  actor: 'echo',
  without: everything,
  cases: (): readonly Wording[] => [
    { name: 'two words', between: ' ' },
    { name: 'two words in one', between: '' },
  ],
  about: ({ actor: { input } }) => ({ at: fieldIn(input) ?? '' }),
  async *ask({ run, actor: { input = {} }, random, case: { between } }) {
    yield { plain: await run() };
    const at = fieldIn(input);
    const said: Exchange[] = [];
    for (let turn = 0; at !== undefined && turn < turns; turn += 1)
      said.push(await run({ input: withLeaf(input, at, `${anyWord(random)}${between}${anyWord(random)}`) }));
    yield { said };
  },
  given: ({ plain, said = [] }) => [
    succeeds(plain, 'a run'),
    inconclusiveIf(!!plain && !echoes(plain), 'the items do not contain the nonce: the actor does not echo'),
    inapplicableIf(
      said.some((each) => statusFits(each, '4xx')),
      'the schema allows no such text',
    ),
    ...said.map((each) => succeeds(each, 'a run with words of its own')),
  ],
  // The words of another run and not its own: a service may write words in a way of its own.
  judge({ said }, { at }) {
    const words = said.map((each) => String(inputOf(each).get(at)));
    return said.flatMap((exchange, turn) => {
      const other = words.find((each) => each !== words[turn] && holds(exchange, each));
      return !succeeded(exchange) || holds(exchange, words[turn]!) || other === undefined
        ? []
        : [violation(exchange, `the items to hold "${words[turn]}"`, `"${other}", of another run`)];
    });
  },
  fix: 'Give each run the items of its own input, whatever its values look like.',
});

/** Where the nonce stands. */
function fieldIn(input: Json | undefined): string | undefined {
  return [...leavesOf(input)].find(([, value]) => typeof value === 'string' && value.includes('{{nonce}}'))?.[0];
}
