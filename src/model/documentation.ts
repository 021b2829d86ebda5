/** Where the documentation is published. The only place that knows; empty: nowhere yet, and nothing links to it. */
export const documentation: string = '';

/** These stay: `npm run docs` builds a page for each rule and each code under this name. */
export const rulePage = (id: string): string => `rules/${id}`;
export const errorPage = (code: string): string => `errors/${code}`;

const addressOf = (page: string, base: string): string | undefined =>
  base === '' ? undefined : `${base.replace(/\/+$/, '')}/${page}.html`;

export const ruleAddress = (id: string, base: string = documentation): string | undefined =>
  addressOf(rulePage(id), base);

export const errorAddress = (code: string, base: string = documentation): string | undefined =>
  addressOf(errorPage(code), base);
