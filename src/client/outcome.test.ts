import { describe, expect, it, test } from 'vitest';
import { outcomeOf, shownIn, toldIn } from './outcome.ts';

const said = (output: string, exit: number | undefined = 0) => outcomeOf(undefined, { exit, output });

describe('what a program says became of its run', () => {
  it.each([
    ['{"outcome":"complete"}', 0, 'complete'],
    ['{"outcome": "partial", "items": 4}', 0, 'partial'],
    ['{"outcome":"failed"}', 0, 'failed'],
    ['starting\n{"level":"info"}\n  {"outcome":"Partial"}  \nbye', 0, 'partial'],
    ['{"outcome":"failed"}\n{"outcome":"complete"}', 0, 'complete'],
    ['{"status":"PARTIAL"}', 0, 'partial'],
    ['{"outcome":"failed"}\n{"level":"info","msg":"bye"}', 0, 'failed'],
    ['{"result":"ok"}', 0, 'complete'],
    ['', 0, 'complete'],
    ['done', 2, 'partial'],
    ['', 1, 'failed'],
    ['{"outcome":7}', 1, 'failed'],
    ['{not json}', 3, 'failed'],
    ['', undefined, 'unclear'],
    ['', 139, 'unclear'],
  ] as const)('%j with exit code %s is %s', (output, exit, outcome) => {
    expect(outcomeOf(undefined, { exit, output })).toBe(outcome);
  });

  it('believes words before exit codes', () => {
    expect(said('{"outcome":"failed"}', 0)).toBe('failed');
  });

  it('takes the first pattern of a profile that fits, and calls all else unclear', () => {
    const says = [
      { outcome: 'complete', when: { exit: [0], output: '"outcome": ?"complete"' } },
      { outcome: 'partial', when: { exit: [2, 3] } },
      { outcome: 'failed', when: { output: '^failed' } },
    ] as const;
    const of = (exit: number | undefined, output: string) => outcomeOf(says, { exit, output });
    expect(of(0, 'x\n{"outcome":"complete"}')).toBe('complete');
    expect(of(0, 'nothing')).toBe('unclear');
    expect(of(3, '')).toBe('partial');
    expect(of(1, 'log\nfailed: 401')).toBe('failed');
    expect(of(undefined, '')).toBe('unclear');
  });

  it('reads the last line that is a JSON object, and no other', () => {
    expect(toldIn('{"a":1}\n[2]\n"x"\n{"b":2}\n{broken}')).toEqual({ b: 2 });
    expect(toldIn('a { } b')).toBeUndefined();
  });
});

test('words of an answer are found where its escapes were passed on', () => {
  expect(shownIn('{"title":"\\u0069ta1"} itb2', ['ita1', 'itb2', 'itc3'])).toEqual(['ita1', 'itb2']);
});
