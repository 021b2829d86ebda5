/** The parts of a signed statement that must be well-formed before anything is compared. The rest is rebuilt and compared. */
import * as z from 'zod';
import { levels as allLevels, type Level } from '../model/clause.ts';
import { verdicts } from '../model/verdict.ts';
import { levelNames } from './levels.ts';
import { pipelineMembers } from './pipeline.ts';
import { certificateVersion, predicateType, type Statement, statementType } from './predicate.ts';

const { array, string, literal, number } = z;
const loose = z.looseObject;
const levels = allLevels as [Level, ...Level[]];

const sha256 = string().regex(/^[0-9a-f]{64}$/);

/** Names that can lead nowhere: no separators, no dots in front. */
const fileName = string().regex(/^[a-z0-9][a-z0-9.-]{0,99}$/);

const count = number().int().min(0);
const waived = { reason: string(), owner: string(), issue: string().optional(), expires: string().optional() };

const counts = loose({ clauses: count, testable: count, exercised: count });

const statement = z.strictObject({
  _type: literal(statementType),
  subject: array(z.strictObject({ name: string(), digest: z.strictObject({ sha256 }) })).length(1),
  predicateType: literal(predicateType),
  predicate: loose({
    touchstone: loose({
      version: literal(certificateVersion),
      subject: z.strictObject({
        name: string(),
        version: string(),
        sha256,
        digestOf: z.enum(['build', 'name-and-version']),
      }),
      about: literal('client').optional(),
      level: z.enum(levelNames),
      issued: z.iso.datetime(),
      suite: z.strictObject({ touchstone: string(), rules: string(), digest: string(), specification: string() }),
      claimed: array(string()),
      runs: array(
        loose({
          file: fileName,
          target: string(),
          started: string(),
          ended: string(),
          depth: string(),
          exchanges: count,
        }),
      ).min(1),
      pipeline: z
        .strictObject(Object.fromEntries(pipelineMembers.map((name) => [name, string().min(1).max(500)])))
        .optional(),
      witness: loose({
        challenge: sha256,
        keyid: sha256,
        target: string(),
        issued: string(),
        expires: string(),
        runs: array(
          loose({
            number: count,
            started: string(),
            ended: string().optional(),
            outcome: string().optional(),
            file: fileName.optional(),
          }),
        ),
      }).optional(),
      coverage: loose({ required: counts, expected: counts, observed: counts }),
      verdicts: array(
        loose({
          rule: string(),
          level: z.enum(levels),
          verdict: z.enum(verdicts),
          exchanges: count,
          leftOut: count.optional(),
        }),
      ),
      waivers: array(loose({ rule: string(), verdict: z.enum(verdicts), ...waived })),
      observed: array(loose({ rule: string(), facts: array(string()) })),
      limits: array(z.json()),
      measurements: array(z.json()),
      files: array(z.strictObject({ name: fileName, bytes: count, sha256 })).min(1),
    }),
  }),
});

/** Undefined: it is no statement of a certificate, or one of a version that is not known here. */
export function statementFrom(payload: Uint8Array): Statement | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(payload);
    const value: unknown = JSON.parse(text);
    // Members that stand there twice would be read otherwise by other readers.
    if (JSON.stringify(value) !== text) return undefined;
    return statement.safeParse(value).success ? (value as Statement) : undefined;
  } catch {
    return undefined;
  }
}
