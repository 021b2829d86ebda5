/** One rule for each status of the table: every error body of the whole run that has it, outside the admin path. */
import {
  type Ask,
  type Exchange,
  expectErrorBody,
  expectTextIfAny,
  type Subject,
  type Sweep,
  statusFits,
  sweep,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { actorNamed, hasBodyByRight, isAdmin } from '../../language/answers.ts';
import { allButActor, everySource, invented, patience } from '../../language/asking.ts';
import { fieldCases } from '../../language/wrong-inputs.ts';

type Provoking = Sweep<undefined, Record<never, never>, Exchange | null>;
type Shape = Pick<Provoking, 'needs' | 'provoke'> &
  Partial<Pick<Provoking, 'actor' | 'without' | 'deadlineMs' | 'waits'>>;

/** What is asked provokes one such answer where it can; every such answer of the run is judged, whichever rule asked for it. */
const shape = (status: 400 | 401 | 403 | 404 | 422 | 429 | 500 | 502 | 504, asking: Shape) =>
  sweep({
    id: `error.shape-${status}`,
    clause: clauses.errorBodyShape,
    ...asking,
    includes: (exchange, scene) =>
      statusFits(exchange, status) && hasBodyByRight(exchange, scene) && !isAdmin(exchange),
    // `error.names-the-actor` says what `actor` is where the path names one.
    judge: (exchange, scene) => [
      ...expectErrorBody(exchange),
      ...(actorNamed(exchange, scene) === undefined ? expectTextIfAny(exchange, 'actor') : []),
    ],
    fix: `Answer every ${status} with a JSON object in which \`error\` and \`detail\` are non-empty strings.`,
  });

const aFailingInput = (subject: Subject) => {
  const cases = fieldCases(subject, ['missing', 'wrong-type']);
  return typeof cases === 'string' ? undefined : cases[0];
};

async function withMissingField({ run, subject, key }: Ask): Promise<Exchange | null> {
  const failing = aFailingInput(subject);
  if (failing === undefined) return null;
  return run({ actor: failing.actor, key: failing.key ?? key, input: failing.mutant.input });
}

async function withoutAccess({ run, subject }: Ask): Promise<Exchange | null> {
  const actor = subject.actors.restricted.find(({ restrictedKey }) => restrictedKey !== undefined);
  return actor === undefined ? null : run({ actor, key: actor.restrictedKey ?? null });
}

export const shape400 = shape(400, {
  needs: ['key', 'clean'],
  actor: 'clean',
  provoke: ({ run }) => run({ body: '{' }),
});

export const shape401 = shape(401, { needs: [], provoke: ({ verify }) => verify({ key: null }) });

export const shape403 = shape(403, { needs: ['restricted'], provoke: withoutAccess });

export const shape404 = shape(404, {
  needs: ['key'],
  provoke: ({ read, random }) => read({ actor: invented(random) }),
});

export const shape422 = shape(422, { needs: ['key'], provoke: withMissingField });

/** Not provoked: that would cost others their quota. */
export const shape429 = shape(429, { needs: [], provoke: null });

export const shape500 = shape(500, { needs: ['key', 'crashing'], actor: 'crashing', provoke: ({ run }) => run() });

export const shape502 = shape(502, {
  needs: ['key', 'sources'],
  actor: 'sources',
  provoke: ({ run }) => run({ sources: everySource('refused') }),
});

export const shape504 = shape(504, {
  needs: ['key', 'sources'],
  actor: 'sources',
  without: allButActor,
  waits: true,
  deadlineMs: patience,
  provoke: ({ run }) => run({ sources: everySource('slow') }),
});
