/** Questions to a person at a terminal. Without one, nothing is asked and nothing waits: the answers are empty. */
export interface Asked {
  text(question: string): Promise<string>;
  secret(question: string): Promise<string>;
  whether(question: string): Promise<boolean>;
}

const nobody: Asked = { text: async () => '', secret: async () => '', whether: async () => false };

const isCi = (): boolean => !['', 'false', '0'].includes(process.env.CI ?? '');

export async function asker({
  silent,
  signal,
}: {
  readonly silent: boolean;
  readonly signal: AbortSignal;
}): Promise<Asked> {
  if (silent || !process.stdin.isTTY || !process.stderr.isTTY || isCi()) return nobody;
  const { confirm, isCancel, password, text } = await import('@clack/prompts');
  // On standard error, like everything that is said while something goes on.
  const common = { output: process.stderr, signal };
  const answered = <T>(answer: T): Exclude<T, symbol> => {
    if (isCancel(answer)) throw new Cancelled();
    return answer as Exclude<T, symbol>;
  };
  return {
    text: async (message) => answered(await text({ message, ...common })) ?? '',
    secret: async (message) => answered(await password({ message, ...common })) ?? '',
    whether: async (message) => answered(await confirm({ message, ...common })),
  };
}

/** Ctrl-C, or Escape, at a question: clack takes the key itself, so no signal comes. */
export class Cancelled extends Error {}
