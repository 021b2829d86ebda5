/** Where the documentation is published. The only place that knows; empty: nowhere yet, and nothing links to it. */
export const documentation: string = '';

/** These stay: `npm run docs` builds a page for each rule and each code under this name. */
export const rulePage = (id: string): string => `rules/${id}`;
export const errorPage = (code: string): string => `errors/${code}`;

export const ruleAddress = (id: string, base: string = documentation): string | undefined =>
  base === '' ? undefined : `${base.replace(/\/+$/, '')}/${rulePage(id)}.html`;
