/** wip */
import type { Report } from './options.ts';
export const htmlReport: Report = () => '';
