/** How the generator makes a site of `pages`, which `npm run docs` writes before. */
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';

const { sidebar, files } = JSON.parse(readFileSync(new URL('../pages/site.json', import.meta.url), 'utf8'));

/** As GitHub does it, so that the anchors of guides fit both. */
const slugify = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

export default defineConfig({
  title: 'Touchstone',
  description: 'Conformance and load tests for the Actor Execution Service Interface',
  lang: 'en',
  srcDir: 'pages',
  cacheDir: '.vitepress/cache',
  // Addresses stay on hosts that know no rewriting too.
  cleanUrls: false,
  lastUpdated: false,
  markdown: {
    html: false,
    anchor: { slugify },
    // Contrast of at least 4.5 in both.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(md) {
      // What looks like a template to the generator is one of a profile.
      md.renderer.rules.text = (tokens, at) => md.utils.escapeHtml(tokens[at].content).replaceAll('{{', '&#123;&#123;');
      md.renderer.rules.code_inline = (tokens, at) => `<code v-pre>${md.utils.escapeHtml(tokens[at].content)}</code>`;
      const fallback = md.renderer.rules.link_open;
      md.renderer.rules.link_open = (tokens, at, options, env, self) => {
        const href = tokens[at].attrGet('href') ?? '';
        if (!href.startsWith('/@file/')) return fallback(tokens, at, options, env, self);
        const base = process.env.TOUCHSTONE_SITE_BASE ?? '/';
        return `<a href="${base}files/${files[href.slice('/@file/'.length)][0]}" target="_self">`;
      };
    },
  },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/getting-started' },
      { text: 'Rules', link: '/rules/' },
      { text: 'Specification', link: '/specification' },
      { text: 'Errors', link: '/errors/' },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
  },
});
