/** What shows whose the items of a run are. */
import { type Actor, type Exchange, holdsText, member, type Subject } from '../../src/vocabulary.ts';

/** What belongs to this run and shows among its items: its nonce, and what its sources said. */
export const marksIn = (exchange: Exchange): readonly string[] =>
  [exchange.planted?.nonce, ...(exchange.planted?.sources ?? []).map(({ token }) => token)].filter(
    (mark): mark is string => mark !== undefined && holdsText(member(exchange, 'items'), mark),
  );

/** Actors that may show it. */
export const showing = ({ actors: { echo, sources } }: Subject): readonly Actor[] => [
  ...new Map([...echo, ...sources].map((actor) => [actor.name, actor])).values(),
];
