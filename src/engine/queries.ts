/** The queries with which sources were asked, as far as they heard of them. */

/** More of them say nothing new, and whoever asks is not to be trusted. */
const mostQueries = 4;
const longestQuery = 200;

/** Of request lines, or of whole addresses. */
export const queriesIn = (heads: string): readonly string[] =>
  [...new Set([...heads.matchAll(/^(?:[A-Z]+ )?\S*?\?(\S*)/gm)].map(([, query = '']) => query.slice(0, longestQuery)))]
    .filter((query) => query !== '')
    .slice(0, mostQueries);
