/** Completion in the shells themselves, where they are installed. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { clientRules } from '../../../suites/client/index.ts';
import { catalogue } from '../../../suites/index.ts';
import { program } from '../program.ts';
import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { wordsOf } from './words.ts';
import { zshCompletion } from './zsh.ts';

const exec = promisify(execFile);
const words = wordsOf(program());

/** bash exists on every machine that builds this project; the others are tried if installed. */
const isThere = async (shell: string): Promise<boolean> =>
  exec(shell, ['-c', 'exit 0']).then(
    () => true,
    () => false,
  );
const [zsh, fish] = await Promise.all([isThere('zsh'), isThere('fish')]);

async function bash(...typed: readonly string[]): Promise<string[]> {
  const line = typed.map((word) => `'${word}'`).join(' ');
  const script = `${bashCompletion(words)}\nCOMP_WORDS=(${line})\nCOMP_CWORD=${typed.length - 1}\n_touchstone\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await exec('bash', ['--norc', '-c', script]);
  return stdout.split('\n').filter((each) => each !== '');
}

describe('bash', () => {
  test.each<[string[], string[]]>([
    [['touchstone', 'ch'], ['check']],
    [['touchstone', 'explain', 'verify.v'], ['verify.valid-key']],
    [['touchstone', 'check', '--dep'], ['--depth']],
    [
      ['touchstone', 'check', '--depth', ''],
      ['quick', 'standard', 'thorough'],
    ],
    [['touchstone', 'check', '--only', 'auth,verify.m'], ['auth,verify.missing-key']],
    [['touchstone', 'rules', '--level', 'e'], ['expected']],
    [
      ['touchstone', 'init', '--pipeline', 'g'],
      ['github', 'gitlab'],
    ],
    [['touchstone', 'completion', 'z'], ['zsh']],
    [['touchstone', 'certificate', 'n'], ['new-key']],
    [['touchstone', 'check', 'x'], []],
  ])('%j', async (typed, expected) => {
    expect(await bash(...typed)).toEqual(expected);
  });

  test('knows every command, and every rule', async () => {
    const visible = program()
      .createHelp()
      .visibleCommands(program())
      .filter((command) => command.name() !== 'help');
    expect(visible.map((command) => command.name())).not.toContain('matrix');
    expect(await bash('touchstone', '')).toEqual(expect.arrayContaining(visible.map((command) => command.name())));
    expect(await bash('touchstone', 'explain', '')).toEqual([...catalogue, ...clientRules].map(({ id }) => id));
  });

  test('completes files where files are meant', async () => {
    const { stdout } = await exec('bash', [
      '--norc',
      '-c',
      `cd "${import.meta.dirname}"\n${bashCompletion(words)}\nCOMP_WORDS=(touchstone judge fis)\nCOMP_CWORD=2\n_touchstone\nprintf '%s\\n' "\${COMPREPLY[@]}"`,
    ]);
    expect(stdout).toBe('fish.ts\n');
  });
});

test.skipIf(!fish)('fish', async () => {
  const ask = async (typed: string): Promise<string[]> => {
    const { stdout } = await exec('fish', ['--no-config', '-c', `${fishCompletion(words)}\ncomplete -C '${typed}'`]);
    return stdout.split('\n').flatMap((line) => line.split('\t')[0] || []);
  };
  expect(await ask('touchstone ch')).toEqual(['check']);
  expect(await ask('touchstone explain verify.v')).toEqual(['verify.valid-key']);
  expect(await ask('touchstone check --depth ')).toEqual(['quick', 'standard', 'thorough']);
  expect(await ask('touchstone check --only auth,verify.m')).toEqual(['auth,verify.missing-key']);
});

test.skipIf(!zsh)('zsh reads its script, and offers what it says', async () => {
  // What zsh would show is written down instead: its own line editor needs a terminal.
  const seen = `compadd() { print -l -- "\${@:2}" }; _describe() { print -l -- "\${(@P)2}" }; _values() { print -l -- "\${@:4}" }; compdef() { : }`;
  const ask = async (current: number, ...typed: string[]): Promise<string[]> => {
    const line = typed.map((word) => `'${word}'`).join(' ');
    const script = `${seen}\n${zshCompletion(words)}\nwords=(${line})\nCURRENT=${current}\nPREFIX='${typed.at(-1)}'\n_touchstone`;
    const { stdout } = await exec('zsh', ['-f', '-c', script]);
    return stdout.split('\n').filter((each) => each !== '');
  };
  expect(await ask(2, 'touchstone', 'ch')).toEqual(expect.arrayContaining([expect.stringMatching(/^check:/)]));
  expect(await ask(3, 'touchstone', 'explain', '')).toEqual([...catalogue, ...clientRules].map(({ id }) => id));
  expect(await ask(4, 'touchstone', 'check', '--depth', '')).toEqual(['quick', 'standard', 'thorough']);
  expect(await ask(4, 'touchstone', 'check', '--only', '')).toContain('verify.valid-key');
  expect(await ask(3, 'touchstone', 'check', '--')).toEqual(
    expect.arrayContaining([expect.stringMatching(/^--depth:/)]),
  );
});

test('no word that a shell would read as more than a word', () => {
  for (const { name, says, options, values } of words) {
    for (const text of [name, ...options.map(({ long }) => long), ...(values === 'file' ? [] : values)])
      expect(text).toMatch(/^[\w.-]+$/);
    for (const text of [says, ...options.map((option) => option.says)]) expect(text).toMatch(/^[\w .-]+$/);
  }
});
