/** What the page carries with it. Read from files next to this one, so that they are written, checked and tested as files. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { style } from './style.ts';

const own = (name: string): string => readFileSync(new URL(`./client/${name}`, import.meta.url), 'utf8');

const ofPlot = (name: string): string =>
  readFileSync(createRequire(import.meta.url).resolve(`uplot/dist/${name}`), 'utf8');

export interface Assets {
  readonly style: string;
  readonly scripts: readonly string[];
  /** Allows these and nothing else: no other script or style, no request, no frame, no form. */
  readonly policy: string;
}

export function assets({ charts }: { readonly charts: boolean }): Assets {
  const css = charts ? `${style}\n${ofPlot('uPlot.min.css')}` : style;
  // The pictures come last: they need their places to be shown.
  const scripts = [own('page.js'), own('wire.js'), ...(charts ? [ofPlot('uPlot.iife.min.js'), own('charts.js')] : [])];
  const sources = (texts: readonly string[]): string => texts.map((text) => `'${digest(text)}'`).join(' ');
  const policy = `default-src 'none'; style-src ${sources([css])}; script-src ${sources(scripts)}; base-uri 'none'; form-action 'none'`;
  return { style: css, scripts, policy };
}

const digest = (text: string): string => `sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}`;
