/**
 * The formats. Each is one file with one pure function from a run to a text; a new one is that file, and a line here.
 */
import type { Run } from '../src/vocabulary.ts';
import type { Report } from './options.ts';

export type { ClauseRow } from './coverage.ts';
export type { CurveOf } from './html/load.ts';
export type { Report, ReportOptions } from './options.ts';

export interface Format {
  /** For whom or what it is: a fragment, for the documentation. */
  readonly says: string;
  /** What it is called in the output folder. None: it is for reading, and goes to standard output. */
  readonly file?: string;
  /** It shows how much of the specification was touched, which the caller has to supply. */
  readonly coverage?: true;
  readonly load: () => Promise<Report>;
  /** The same in pieces, for what is as long as the run itself. */
  readonly pieces?: () => Promise<(run: Run) => Iterable<string>>;
}

export const formats = {
  console: {
    says: 'a person at a terminal; the last five lines are the answer',
    load: async () => (await import('./console.ts')).consoleReport,
  },
  json: {
    says: 'programs; `schema/run-report.json` describes it',
    file: 'report.json',
    load: async () => (await import('./json.ts')).jsonReport,
  },
  junit: {
    says: 'GitLab, Jenkins and other readers of JUnit XML',
    file: 'junit.xml',
    load: async () => (await import('./junit.ts')).junitReport,
  },
  html: {
    says: 'everybody: one page that works offline and without scripts, with every exchange, and load and limits as pictures',
    file: 'report.html',
    coverage: true,
    load: async () => (await import('./html.ts')).htmlReport,
  },
  markdown: {
    says: 'the summary of a pipeline or a comment; cut at 1 MiB, with a count of what is missing',
    file: 'report.md',
    coverage: true,
    load: async () => (await import('./markdown.ts')).markdownReport,
  },
  ctrf: {
    says: 'tools for the Common Test Report Format',
    file: 'ctrf.json',
    load: async () => (await import('./ctrf.ts')).ctrfReport,
  },
  sarif: {
    says: 'code scanning of GitHub and other readers of SARIF 2.1.0; each rule links to its page',
    file: 'report.sarif',
    load: async () => (await import('./sarif.ts')).sarifReport,
  },
  tap: {
    says: 'readers of the Test Anything Protocol, version 14',
    file: 'report.tap',
    load: async () => (await import('./tap.ts')).tapReport,
  },
  har: {
    says: 'the network panel of a browser: every exchange of the run',
    file: 'exchanges.har',
    load: async () => (await import('./har.ts')).harReport,
    pieces: async () => (await import('./har.ts')).harPieces,
  },
  curl: {
    says: 'reproducing what failed, with secrets from the environment',
    file: 'failures.sh',
    load: async () => (await import('./curl-script.ts')).curlReport,
  },
  github: {
    says: 'annotations, ten at most; in GitHub Actions they are automatic, with the summary',
    load: async () => (await import('./github.ts')).githubReport,
  },
  badge: {
    says: 'a badge from an address (shields.io endpoint)',
    file: 'badge.json',
    load: async () => (await import('./badge.ts')).badgeReport,
  },
  'badge-svg': {
    says: 'a badge as a picture',
    file: 'badge.svg',
    load: async () => (await import('./badge.ts')).badgeSvgReport,
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as FormatName[];
