/** Members under a name of before: which of them a profile still uses, and what they are called now. */
import { isObject, type Json } from '../model/json.ts';

export interface FormerMember {
  readonly name: string;
  readonly now: string;
}

/** As the shapes mark them with `former`. */
export const formerMembers: readonly FormerMember[] = [
  { name: 'limits.tiers', now: 'limits.documented.tiers' },
  { name: 'limits.address', now: 'limits.documented.address' },
  { name: 'load.limits', now: 'limits.documented' },
];

export const formerMembersOf = (profile: Json): FormerMember[] =>
  formerMembers.filter(({ name }) => {
    const [section = '', member = ''] = name.split('.');
    const within = isObject(profile) ? profile[section] : undefined;
    return isObject(within) && within[member] !== undefined;
  });
