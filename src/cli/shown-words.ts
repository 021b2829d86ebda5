/** The words of a command as a report may show them: others read it. */

const secretive = /key|token|secret|passw|credential|authorization|bearer/i;
/** `API_TOKEN=…`, `--password=…`, `X-API-Key: …`. */
const assignment = /^([\w-]*\s*[=:]\s*)(\S.*)$/s;
/** `{key}` is filled in at each start. */
const isPlaceholder = (word: string): boolean => /^\{\w+\}$/.test(word);
const isFlag = (word: string | undefined): boolean => word !== undefined && /^--?[\w-]+$/.test(word);

export const shownWords = (words: readonly string[]): readonly string[] =>
  words.map((word, at) => {
    const before = words[at - 1];
    if (isFlag(before) && secretive.test(before!) && !isPlaceholder(word)) return '…';
    const [, name = '', value = ''] = assignment.exec(word) ?? [];
    return secretive.test(name) && !isPlaceholder(value) ? `${name}…` : word;
  });
