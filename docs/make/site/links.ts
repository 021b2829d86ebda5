/** Guides are written for a repository; on the site their links lead to its pages, and what is no page becomes a file next to them. */
import { posix } from 'node:path';
import { mistakes } from '../../../src/mistakes.ts';
import { errorPage, rulePage } from '../../../src/model/documentation.ts';
import { clientRules } from '../../../suites/client/index.ts';
import { catalogue } from '../../../suites/index.ts';

/** Pages that have another name, or stand elsewhere in the repository. */
const renamed: Readonly<Record<string, string>> = {
  'README.md': 'index.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security.md',
  'CHANGELOG.md': 'changelog.md',
  'docs/rules.md': 'rules/index.md',
  'docs/errors.md': 'errors/index.md',
};

/** The page of a file of the repository; undefined if there is no page for it. */
export const pageOf = (file: string): string | undefined =>
  renamed[file] ?? (/^docs\/[^/]+\.md$/.test(file) ? file.slice('docs/'.length) : undefined);

/** As GitHub makes anchors of headings, so that links work in both places. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

const ruleIds = [...catalogue, ...clientRules].map(({ id }) => id);
const ownPages = new Map<string, string>([
  ...ruleIds.map((id) => [`docs/rules.md#${slugOf(id)}`, `${rulePage(id)}.md`] as const),
  ...Object.keys(mistakes).map((code) => [`docs/errors.md#${code}`, `${errorPage(code)}.md`] as const),
]);

export interface Linked {
  readonly text: string;
  /** Files and folders of the repository that the text links to. */
  readonly files: readonly string[];
}

/** The text of `file`, with links that fit its page. Code is left alone. */
export function relinked(text: string, file: string): Linked {
  const files: string[] = [];
  const from = posix.dirname(pageOf(file) ?? '');
  const link = (whole: string, before: string, target: string): string => {
    if (/^([a-z]+:|#)/.test(target)) return whole;
    const [path = '', anchor] = target.split('#');
    const there = posix.normalize(posix.join(posix.dirname(file), path));
    const own = ownPages.get(`${there}#${anchor}`);
    if (own !== undefined) return `${before}(./${posix.relative(from, own)})`;
    const page = pageOf(there);
    if (page !== undefined)
      return `${before}(./${posix.relative(from, page)}${anchor === undefined ? '' : `#${anchor}`})`;
    files.push(there);
    return before.startsWith('!') ? `${before}(./${posix.basename(there)})` : `${before}(/@file/${there})`;
  };
  const linkedText = text
    .split(/(```[\s\S]*?```|`[^`\n]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(/<!--[\s\S]*?-->\n?/g, '')))
    .join('')
    .replaceAll(/(!?\[[^\]]*\])\(([^)\s]+)\)/g, link);
  return { text: linkedText, files };
}
