/**
 * The formats. Each is one file with one pure function from a run to a text; a new one is that file, and a line here.
 */
import type { Run } from '../src/vocabulary.ts';
import type { Report } from './options.ts';

export type { ClauseRow } from './coverage.ts';
export type { CurveOf } from './html/load.ts';
export type { Report, ReportOptions } from './options.ts';

export interface Format {
  /** What it is called in the output folder. None: it is for reading, and goes to standard output. */
  readonly file?: string;
  /** It shows how much of the specification was touched, which whoever calls it has to bring. */
  readonly coverage?: true;
  readonly load: () => Promise<Report>;
  /** The same in pieces, for what is as long as the run itself. */
  readonly pieces?: () => Promise<(run: Run) => Iterable<string>>;
}

export const formats = {
  console: { load: async () => (await import('./console.ts')).consoleReport },
  json: { file: 'report.json', load: async () => (await import('./json.ts')).jsonReport },
  junit: { file: 'junit.xml', load: async () => (await import('./junit.ts')).junitReport },
  html: { file: 'report.html', coverage: true, load: async () => (await import('./html.ts')).htmlReport },
  markdown: { file: 'report.md', coverage: true, load: async () => (await import('./markdown.ts')).markdownReport },
  ctrf: { file: 'ctrf.json', load: async () => (await import('./ctrf.ts')).ctrfReport },
  har: {
    file: 'exchanges.har',
    load: async () => (await import('./har.ts')).harReport,
    pieces: async () => (await import('./har.ts')).harPieces,
  },
  curl: { file: 'failures.sh', load: async () => (await import('./curl-script.ts')).curlReport },
  github: { load: async () => (await import('./github.ts')).githubReport },
  badge: { file: 'badge.json', load: async () => (await import('./badge.ts')).badgeReport },
  'badge-svg': { file: 'badge.svg', load: async () => (await import('./badge.ts')).badgeSvgReport },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as FormatName[];
