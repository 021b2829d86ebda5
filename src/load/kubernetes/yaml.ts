/** Manifests as the text of a file. */
import { stringify } from 'yaml';
import type { Manifest } from './manifests.ts';

export const yamlOf = (manifests: readonly Manifest[]): string =>
  manifests.map((each) => stringify(each, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n');
