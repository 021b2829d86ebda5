/** What a sweep knows of the whole run. */
export interface Scene {
  /** To which exchange each nonce and each source belongs. */
  readonly planted: ReadonlyMap<string, number>;
  /** The first run, by its target, that was a whole success with sources that all worked; and the first success of any kind. */
  readonly worked: ReadonlyMap<string, number>;
  readonly served: ReadonlyMap<string, number>;
  /** The first tier that each key was shown with, by the name of the key, and in which exchange. */
  readonly shown: ReadonlyMap<string, { readonly tier: string; readonly by: number }>;
  /** The names of the profile's actors, as its header says. */
  readonly actors: readonly string[];
}
