/** All rules by name: node and vitest list the members of a module in different orders, and a picture must not depend on that. */
import { catalogue as all } from '../../../src/cli/catalogue.ts';
import type { Catalogue } from '../../../src/model/rule.ts';

export const catalogue: Catalogue = { ...all, rules: all.rules.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
