/** Pure: what was measured, as the tables of docs/clients.md. */
import { tables } from './meets.ts';

export interface MeasuredStack {
  readonly name: string;
  readonly version: string;
  readonly language: string;
  /** By situation. */
  readonly did: Readonly<Record<string, string>>;
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A stack that comes with its language has the version of that. */
const called = ({ name, version, language }: Pick<MeasuredStack, 'name' | 'version' | 'language'>): string =>
  language.endsWith(` ${version}`) ? `${name} (${language})` : `${name} ${version} (${language})`;

export const stackTables = (measured: readonly MeasuredStack[]): string =>
  tables
    .map((columns) =>
      [
        row(['stack', ...columns.map(({ head }) => head)]),
        row(['---', ...columns.map(() => '---')]),
        ...measured.map(({ name, version, language, did }) =>
          row([called({ name, version, language }), ...columns.map(({ situation }) => did[situation] ?? 'not seen')]),
        ),
      ].join('\n'),
    )
    .join('\n\n');
