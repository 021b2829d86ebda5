/** What the interface sends and takes, as zod says it. Further fields are allowed everywhere: nothing forbids them. */
import * as z from 'zod';
import { clauses } from '../../suites/clauses/index.ts';

const filled = (says: string) => z.string().min(1).describe(says);

export const actorInput = z.looseObject({}).describe(clauses.inputIsObject.says);

export const runResult = z
  .looseObject({
    items: z.array(z.unknown()).describe(clauses.runGivesItsOwnItems.says),
    status: z.string().describe(`${clauses.partialMeansSomeFailed.says} ${clauses.otherStatusesNotShown.says}`),
  })
  .describe(clauses.runResultShape.says);

export const verification = z
  .looseObject({ valid: z.boolean(), tier: filled(clauses.keyHasTier.says) })
  .describe(clauses.verifyReports.says);

export const errorBody = z
  .looseObject({
    error: filled(`${clauses.invalidInputCode.says} ${clauses.otherErrorCodesNotShown.says}`),
    detail: filled(clauses.detailNamesTheField.says),
  })
  .describe(clauses.errorBodyShape.says);

export const actorErrorBody = z
  .looseObject({ ...errorBody.shape, actor: filled(clauses.errorNamesTheActor.says) })
  .describe(`${clauses.errorBodyShape.says} ${clauses.errorNamesTheActor.says}`);

/** 400 alone says which code it has. */
export const inputErrorBody = z
  .looseObject({ ...actorErrorBody.shape, error: z.literal('invalid_input').describe(clauses.invalidInputCode.says) })
  .describe(clauses.invalidInputCode.says);
