/**
 * Pure: the build that signs, as the pipeline's environment names it. Somebody who controls the environment can claim anything: only an
 * attestation by the pipeline itself, over the same predicate, shows that it is so.
 */
export const pipelineMembers = ['system', 'repository', 'workflow', 'run', 'commit', 'ref'] as const;

export type PipelineIdentity = Readonly<Record<(typeof pipelineMembers)[number], string>>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Of each member the variables that make it up. */
const systems: readonly {
  readonly system: string;
  readonly when: string;
  readonly members: Readonly<Record<Exclude<keyof PipelineIdentity, 'system'>, readonly string[]>>;
}[] = [
  {
    system: 'github',
    when: 'GITHUB_ACTIONS',
    members: {
      repository: ['GITHUB_SERVER_URL', 'GITHUB_REPOSITORY'],
      workflow: ['GITHUB_WORKFLOW_REF'],
      run: ['GITHUB_RUN_ID', 'GITHUB_RUN_ATTEMPT'],
      commit: ['GITHUB_SHA'],
      ref: ['GITHUB_REF'],
    },
  },
  {
    system: 'gitlab',
    when: 'GITLAB_CI',
    members: {
      repository: ['CI_SERVER_URL', 'CI_PROJECT_PATH'],
      workflow: ['CI_CONFIG_PATH'],
      run: ['CI_PIPELINE_ID', 'CI_JOB_ID'],
      commit: ['CI_COMMIT_SHA'],
      ref: ['CI_COMMIT_REF_NAME'],
    },
  },
];

const plain = /^[\x21-\x7e]{1,200}$/;

/** A sentence where this is no pipeline that says who it is. */
export function pipelineFrom(env: Environment): PipelineIdentity | string {
  const found = systems.find(({ when }) => env[when] === 'true');
  if (found === undefined) return 'this is no build of GitHub Actions or GitLab CI';
  const variables = Object.values(found.members).flat();
  const missing = variables.filter((name) => !plain.test(env[name] ?? ''));
  if (missing.length > 0) return `the environment does not say which build this is: ${missing.join(', ')}`;
  const of = (names: readonly string[]): string => names.map((name) => env[name]!.replace(/\/+$/, '')).join('/');
  const { repository, workflow, run, commit, ref } = found.members;
  return {
    system: found.system,
    repository: of(repository),
    workflow: of(workflow),
    run: of(run),
    commit: of(commit),
    ref: of(ref),
  };
}
