/** A process that sends so many exchanges and does nothing else. */
import { bareLoop } from './whole-check.ts';

await bareLoop(Number(process.argv[2]));
