/** Where the command line begins. Loads what a command needs, and nothing else. */
import { explainError, wantsStack } from './errors.ts';
import { watchMemory } from './memory.ts';
import { exitWith, say } from './output.ts';

export async function main(args: readonly string[]): Promise<void> {
  try {
    const [command, rule] = args;
    // People and editors ask it often, so it does without the parser of options.
    if (command === 'explain' && args.length === 2 && rule !== undefined && !rule.startsWith('-')) {
      const { explain } = await import('./commands/explain.ts');
      explain(rule);
      return;
    }
    const { program } = await import('./program.ts');
    const unwatched = watchMemory();
    await program()
      .parseAsync([...args], { from: 'user' })
      .finally(unwatched);
  } catch (error) {
    const { text, exitCode } = explainError(error);
    if (text !== '') say(text.startsWith('touchstone: ') ? text : `touchstone: ${text}`);
    if (wantsStack() && error instanceof Error && text !== '') say(error.stack ?? '');
    exitWith(exitCode);
  }
}
