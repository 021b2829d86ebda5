/** What `init` writes next to the profile. Pure. */
import { version } from '../version.ts';

export const waiversText = (): string =>
  `# Temporarily accepted failures. \`touchstone check\` reads this file next to the profile: what is listed here does not stop a
# pipeline; an expired or unused waiver does. One waiver for one rule, each with a reason, an owner and a last day:
#
# waivers:
#   - rule: run.keep-alive
#     expectation: fail          # or: warn, untested
#     reason: the gateway in front closes connections after each answer; being replaced
#     owner: team-gateway
#     issue: "OPS-1234"
#     expires: 2027-01-31        # the last day on which it counts, at most a year ahead
waivers: []
`;

export const pipelines = ['github', 'gitlab', 'jenkins'] as const;
export type Pipeline = (typeof pipelines)[number];

export interface PipelineFile {
  readonly path: string;
  readonly text: string;
  /** What is left to do by hand. */
  readonly remaining: string;
}

/** No registry has the package yet: `npm pack` writes this tarball from a checkout. */
export const tarball = `./touchstone-${version}.tgz`;

/** What npm can install and no shell, YAML or Groovy reads as anything else. */
export const isPackage = (text: string): boolean => /^[\w@.][\w@.:/#+-]*$/.test(text);

/** `variables` are names of secrets that the pipeline passes as environment; `from` is what npm installs. */
export function pipelineFile(
  kind: Pipeline,
  variables: readonly string[],
  from: string = tarball,
  isThere = false,
): PipelineFile {
  const run = `npx --yes --package=${from} -- touchstone`;
  const file = makers[kind](variables.length === 0 ? ['TOUCHSTONE_API_KEY'] : variables, run);
  const source =
    from === tarball
      ? `${isThere ? 'Commit' : 'Write the package here with `npm pack <folder of Touchstone>`, and commit'} ${tarball.slice(2)}.`
      : `npm must be able to install ${from} in the pipeline.`;
  return { ...file, remaining: `${file.remaining}\n${source}` };
}

/** The variables that a profile needs, by its text: what is commented out is not asked for, and neither is what has a default. */
export const variablesIn = (profile: string): readonly string[] => [
  ...new Set(
    profile
      .split('\n')
      .flatMap((line) => [...line.replace(/(^|\s)(#|\/\/).*$/, '').matchAll(/\$\{env:(\w+)\}/g)])
      .map(([, name]) => name!),
  ),
];

const makers: Readonly<Record<Pipeline, (variables: readonly string[], run: string) => PipelineFile>> = {
  github: (variables, run) => ({
    path: '.github/workflows/touchstone.yml',
    remaining: `Add ${variables.join(', ')} to the secrets of the repository.`,
    text: `name: conformance
on: [push]
permissions: { contents: read }
jobs:
  touchstone:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with: { node-version: 24 }
      # Start the service here, or let touchstone.yaml name one that runs.
      - run: ${run} check --format console,junit
        env:
${variables.map((name) => `          ${name}: \${{ secrets.${name} }}`).join('\n')}
      - uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
        if: always()
        with: { name: touchstone, path: touchstone-report }
`,
  }),
  gitlab: (variables, run) => ({
    path: 'touchstone.gitlab-ci.yml',
    remaining: `Add ${variables.join(', ')} to the masked variables of the project, and \`include: touchstone.gitlab-ci.yml\` to .gitlab-ci.yml.`,
    text: `# ${variables.join(', ')}: masked variables of the project, which jobs see as environment.
touchstone:
  image: node:24
  script:
    - ${run} check --format console,junit
  artifacts:
    when: always
    paths: [touchstone-report]
    reports:
      junit: touchstone-report/junit.xml
`,
  }),
  jenkins: (variables, run) => ({
    path: 'Jenkinsfile.touchstone',
    remaining: `Add ${variables.join(', ')} as credentials of the kind "secret text".`,
    text: `pipeline {
  agent any
  environment {
${variables.map((name) => `    ${name} = credentials('${name.toLowerCase().replaceAll('_', '-')}')`).join('\n')}
  }
  stages {
    stage('Conformance') {
      steps {
        sh '${run} check --format console,junit'
      }
    }
  }
  post {
    always {
      junit 'touchstone-report/junit.xml'
      archiveArtifacts artifacts: 'touchstone-report/**', allowEmptyArchive: true
    }
  }
}
`,
  }),
};
