/** What a k6 process came to. */

export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Undefined: it did what it should. */
export function failureOf({ code, signal }: Ending, notes: readonly string[]): string | undefined {
  const said = notes.at(-1);
  const more = said === undefined ? '' : `: ${said}`;
  if (code === 0) return undefined;
  if (signal !== null) return `k6 was ended by ${signal}`;
  return `${endings[code ?? -1] ?? `k6 ended with exit code ${code}`}${more}`;
}

const endings: Readonly<Record<number, string>> = {
  97: 'k6 lost its cloud run',
  98: 'k6 could not follow its cloud run',
  99: 'k6 reports a missed threshold of the script',
  100: 'the setup of the script took too long',
  101: 'the teardown of the script took too long',
  102: 'k6 ran out of time',
  103: 'k6 was stopped through its own interface',
  104: 'k6 rejects its options',
  105: 'k6 was interrupted',
  106: 'k6 could not listen at its control address',
  107: 'the script failed',
  108: 'the script ended the test',
  109: 'k6 itself crashed (a panic)',
  110: 'the script marked the test as failed',
  255: 'k6 did not start',
};
