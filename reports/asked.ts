/** What a finding rests on: the contexts that a rule was asked in, or the exchanges that passed where nothing is asked. */
import type { Finding } from '../src/vocabulary.ts';
import { plural } from './text.ts';

export const restsOn = ({ asked, looked }: Finding): string =>
  asked.contexts === 0 && looked !== undefined
    ? plural(looked.exchanges, 'exchange')
    : plural(asked.contexts, 'context');
