/** All rules of clients, and the situations that they look at. A rule is in the catalogue by being exported from its file. */
import type { ClientRule, Situation } from '../../src/vocabulary.ts';
import * as claiming from './claiming.ts';
import * as endings from './endings.ts';
import * as hammering from './hammering.ts';
import * as keys from './keys.ts';
import * as leftOpen from './left-open.ts';
import * as results from './results.ts';
import * as retrying from './retrying.ts';
import * as sending from './sending.ts';
import { refusalSituations } from './situations-refusals.ts';
import { requestSituations } from './situations-requests.ts';
import { resultSituations } from './situations-results.ts';
import { unreadableSituations } from './situations-unreadable.ts';
import * as waiting from './waiting.ts';

/** Raised when a rule judges differently than before. */
export const clientRulesVersion = '1';

const isRule = (value: unknown): value is ClientRule =>
  typeof value === 'object' && value !== null && 'id' in value && 'clause' in value;

export const clientRules: readonly ClientRule[] = [
  sending,
  keys,
  results,
  claiming,
  waiting,
  hammering,
  retrying,
  endings,
  leftOpen,
].flatMap((file) => Object.values(file).filter(isRule));

export const situations: readonly Situation[] = [
  ...resultSituations,
  ...unreadableSituations,
  ...requestSituations,
  ...refusalSituations,
];
