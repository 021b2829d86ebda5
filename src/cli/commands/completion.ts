/** `touchstone completion`: a script for a shell, on standard output. */
import type { Command } from 'commander';
import { bashCompletion } from '../completion/bash.ts';
import { fishCompletion } from '../completion/fish.ts';
import { wordsOf } from '../completion/words.ts';
import { zshCompletion } from '../completion/zsh.ts';
import { out } from '../output.ts';

const makers = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

export function completion(shell: keyof typeof makers, root: Command): void {
  out(makers[shell](wordsOf(root)));
}
