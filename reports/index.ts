/**
 * The formats. Each is one file with one pure function from a run to a text; a new one is that file, and a line here.
 */
import type { Report } from './options.ts';

export type { Report, ReportOptions } from './options.ts';

export interface Format {
  /** What it is called in the output folder. None: it is for reading, and goes to standard output. */
  readonly file?: string;
  readonly load: () => Promise<Report>;
}

export const formats = {
  console: { load: async () => (await import('./console.ts')).consoleReport },
  json: { file: 'report.json', load: async () => (await import('./json.ts')).jsonReport },
  junit: { file: 'junit.xml', load: async () => (await import('./junit.ts')).junitReport },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as FormatName[];
