/** One start of a client, as a line of a run file. */
import * as z from 'zod';
import { deviations } from '../model/client-context.ts';
import type { Data } from '../model/json.ts';

const { strictObject, string, array, literal, number } = z;
const count = z.int().min(0);
const ids = array(z.int().min(1));
const words = array(string());

export const trialShape = strictObject({
  type: literal('trial'),
  number: z.int().min(1),
  situation: string(),
  title: string(),
  key: z.enum(['live', 'test']),
  connection: z.enum(['kept', 'fresh']),
  deviations: array(z.enum(deviations)).exactOptional(),
  actor: string(),
  input: string(),
  basePath: string(),
  planted: strictObject({ items: words, decoys: words }),
  exchanges: ids,
  elsewhere: ids,
  broken: count,
  ended: strictObject({
    exit: z.int().exactOptional(),
    signal: string().exactOptional(),
    outcome: z.enum(['complete', 'partial', 'failed', 'unclear']),
    told: z.custom<Data>(() => true).exactOptional(),
    output: string(),
    errors: string(),
    shown: words,
    keyIn: words,
    stopped: z.enum(['late', 'enough']).exactOptional(),
    stalledMs: number().min(0),
    left: count,
    open: z.int().min(1).exactOptional(),
    at: strictObject({ started: number(), end: number() }),
  }),
});
