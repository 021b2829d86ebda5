/** Colours, if they are wanted. The caller, who knows the terminal, decides. */
import { styleText } from 'node:util';
import type { Verdict } from '../src/vocabulary.ts';

export type Style = Parameters<typeof styleText>[0];
export type Paint = (style: Style, text: string) => string;

export const painter = (colour: boolean): Paint =>
  colour ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;

export const verdictStyle: Record<Verdict, Style> = {
  pass: 'green',
  fail: ['red', 'bold'],
  warn: 'yellow',
  observed: 'cyan',
  untested: 'gray',
  inconclusive: 'magenta',
  error: ['red', 'bold'],
};
