/** The whole site as files, before the generator makes pages of them. Pure: what it reads is given. */

import { mistakes } from '../../../src/mistakes.ts';
import { errorPage, rulePage } from '../../../src/model/documentation.ts';
import { areas } from '../../../src/model/rule.ts';
import { clientRules } from '../../../suites/client/index.ts';
import { pageOf, relinked } from './links.ts';
import { errorPages, specificationPage } from './other-pages.ts';
import { type Proofs, rulePages, rulesOf } from './rule-pages.ts';

export interface Site {
  /** Markdown by path. */
  readonly pages: ReadonlyMap<string, string>;
  /** Files and folders of the repository that pages show or link to. */
  readonly files: readonly string[];
  /** By the beginning of a page's path. Nothing in it folds: the generator nests buttons there, which many cannot use. */
  readonly sidebar: Readonly<Record<string, readonly Group[]>>;
}

interface Entry {
  readonly text: string;
  readonly link: string;
}

interface Group {
  readonly text: string;
  readonly items: readonly Entry[];
}

/** In the order in which a reader meets them. */
const guides: Readonly<Record<string, readonly string[]>> = {
  Start: ['README.md', 'docs/getting-started.md', 'docs/verdicts.md', 'docs/equality.md'],
  'Describe a service': ['docs/profile.md', 'docs/targets.md'],
  Measure: ['docs/limits.md', 'docs/limit-kinds.md', 'docs/load.md', 'docs/clients.md'],
  Publish: ['docs/reports.md', 'docs/certificates.md', 'docs/pipelines.md'],
  'How far to trust it': ['docs/reliability.md', 'docs/figures.md', 'SECURITY.md'],
  Contribute: ['docs/architecture.md', 'CONTRIBUTING.md', 'docs/style.md', 'CHANGELOG.md'],
};

/** Made again for the site, in more pages than one. */
const replaced = new Set(['docs/rules.md', 'docs/errors.md']);

const titleOf = (text: string): string => /^# (.*)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? '';

export function siteOf(texts: ReadonlyMap<string, string>, proofs: Proofs): Site {
  const pages = new Map<string, string>();
  const files = new Set<string>();
  for (const [file, text] of texts) {
    const page = pageOf(file);
    if (page === undefined || replaced.has(file)) continue;
    const linked = relinked(text, file);
    pages.set(page, linked.text);
    for (const each of linked.files) files.add(each);
  }
  for (const [page, text] of [...rulePages(proofs), ...errorPages()]) pages.set(page, text);
  pages.set('specification.md', specificationPage());
  const listed = new Set(Object.values(guides).flat());
  const forgotten = [...texts.keys()].filter((file) => !listed.has(file) && !replaced.has(file));
  if (forgotten.length > 0) throw new Error(`in no group of the site: ${forgotten.join(', ')}`);
  return { pages, files: [...files], sidebar: sidebarOf(texts) };
}

function sidebarOf(texts: ReadonlyMap<string, string>): Site['sidebar'] {
  const entry = (file: string): Entry => ({
    text: file === 'README.md' ? 'Overview' : titleOf(texts.get(file) ?? ''),
    link: `/${(pageOf(file) ?? '').replace(/(index)?\.md$/, '')}`,
  });
  const rule = ({ id }: { readonly id: string }): Entry => ({ text: id, link: `/${rulePage(id)}` });
  const reference: Group = {
    text: 'Reference',
    items: [
      { text: 'Specification', link: '/specification' },
      { text: 'Rules', link: '/rules/' },
      { text: 'Errors', link: '/errors/' },
    ],
  };
  const ofAreas = areas.map((area) => ({ text: area, items: rulesOf(area).map(rule) }));
  const codes = Object.keys(mistakes).map((code) => ({ text: code, link: `/${errorPage(code)}` }));
  return {
    '/rules/': [
      reference,
      ...ofAreas.filter(({ items }) => items.length > 0),
      { text: 'client', items: clientRules.map(rule) },
    ],
    '/errors/': [reference, { text: 'Codes', items: codes }],
    '/': [...Object.entries(guides).map(([text, own]) => ({ text, items: own.map(entry) })), reference],
  };
}
