/** The words of a command as a report may show them: others read it. */

const secretive = /key|token|secret|passw|credential|authorization|bearer/i;
/** `API_TOKEN=…`, `--password=…`, `X-API-Key: …`. A placeholder is filled in elsewhere. */
const assignment = /^([\w-]*\s*[=:]\s*)(?!\{\w+\}$)(.+)$/s;
const isFlag = (word: string | undefined): boolean => word !== undefined && /^--?[\w-]+$/.test(word);

export const shownWords = (words: readonly string[]): readonly string[] =>
  words.map((word, at) => {
    const before = words[at - 1];
    if (isFlag(before) && secretive.test(before!) && !/^\{\w+\}$/.test(word)) return '…';
    const [, name = '', value] = assignment.exec(word) ?? [];
    return value !== undefined && secretive.test(name) ? `${name}…` : word;
  });
