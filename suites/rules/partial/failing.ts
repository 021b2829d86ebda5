/** How one source of two may fail, and with which inputs. */
import type { Case, Json, SourceBehaviour, Subject } from '../../../src/vocabulary.ts';
import { runnableRestricted } from '../../language/asking.ts';

type Slot = 'ok' | 'ok2';

interface Failing extends Case {
  readonly behaviour: SourceBehaviour;
  /** Which of the two sources fails: the second by default. */
  readonly slot?: Slot;
  /** Another input than the profile's. */
  readonly list?: 'filled' | 'pair';
  /** The same, with other choices in its fields: of the sources, some may not count then, or one failure may end the run. */
  readonly chosen?: Json;
  /** The same addresses worked a moment ago. */
  readonly workedBefore?: true;
  /** Its body is sent in chunks of so many bytes. */
  readonly chunkBytes?: number;
}

/** With a value in each field that is optional: who is asked for more may look at the sources elsewhere, and at each otherwise. */
const withAllFields = ({ actors }: Subject): readonly Failing[] =>
  actors.sources.flatMap((actor): Failing[] =>
    actor.sourceLists?.filled === undefined
      ? []
      : [
          { name: 'a refused connection', behaviour: 'refused' as const },
          { name: 'garbage for an answer', behaviour: 'garbage' as const },
        ].map(({ name, behaviour }) => ({
          name: `${actor.name}: ${name}, all fields given`,
          behaviour,
          actor,
          list: 'filled',
        })),
  );

const withOtherChoices = ({ actors }: Subject): readonly Failing[] =>
  actors.sources.flatMap((actor) =>
    (actor.sourceLists?.chosen ?? []).map((chosen, at): Failing => {
      const name = `${actor.name}: a refused connection, other choices ${at + 1}`;
      return { name, behaviour: 'refused', actor, chosen };
    }),
  );

/** Each actor may look at its sources by code of its own: those that are not asked in all ways, in two. */
const ofFurther = ({ actors }: Subject): readonly Failing[] =>
  actors.sources
    .filter(({ sources }) => sources === 2)
    .slice(1)
    .flatMap((actor) =>
      broken
        .filter(({ behaviour }) => behaviour === 'refused')
        .map((each) => ({ ...each, name: `${actor.name}: ${each.name}`, actor })),
    );

const ofRestricted = (subject: Subject): readonly Failing[] =>
  runnableRestricted(subject)
    .filter(({ actor }) => actor.sourceLists?.pair !== undefined)
    .map((each) => ({ ...each, name: `${each.actor.name}: a refused connection`, behaviour: 'refused', list: 'pair' }));

/** Everybody would call such a source failed. */
export const broken: readonly Failing[] = [
  { name: 'a refused connection', behaviour: 'refused' },
  { name: 'a reset connection', behaviour: 'reset' },
  { name: 'garbage for an answer', behaviour: 'garbage' },
  { name: 'a refused connection of the first source', behaviour: 'refused', slot: 'ok' },
];

/** An actor might make items of these, or take them for an empty source. */
const doubtful: readonly Failing[] = [
  { name: 'an answer of 500', behaviour: 'status-500' },
  { name: 'an answer cut off', behaviour: 'cut-off' },
];

/** Who does not know the length of a body may read it elsewhere. */
const inChunks: Failing = { name: 'a refused connection, the body in chunks', behaviour: 'refused', chunkBytes: 16 };

/** Whoever keeps what a source has said may take it for what it says now. */
const asBefore: Failing = {
  name: 'a reset connection of one that worked before',
  behaviour: 'reset',
  workedBefore: true,
};

export const failing = ({ behaviour, slot = 'ok2' }: Failing) => ({ [slot]: behaviour });

export const waysToFail = (subject: Subject): readonly (Failing & { readonly sure: boolean })[] => [
  ...[
    ...broken,
    inChunks,
    asBefore,
    ...withAllFields(subject),
    ...withOtherChoices(subject),
    ...ofFurther(subject),
    ...ofRestricted(subject),
  ].map((one) => ({ ...one, sure: true })),
  ...doubtful.map((each) => ({ ...each, sure: false })),
];
