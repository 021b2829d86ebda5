/** Where the reader finds the documentation: a site of your own (`npm run docs`), or where it is published. */
import { documentation } from '../model/documentation.ts';

/** Whatever is no address of the web becomes no link. */
export const documentationBase = (env: NodeJS.ProcessEnv = process.env): string => {
  const own = env.TOUCHSTONE_DOCS ?? '';
  return /^https?:\/\/[^\s"'<>\\]+$/.test(own) ? own : documentation;
};
