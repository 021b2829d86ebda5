/** Where it is written down. May throw (a full disk): then nothing is made. */
export interface Journal {
  /** Before the service is asked. The mark is in the key's record, where the profile puts it there. */
  creating(name: string, tier: string, mark: string): void;
  /** Undefined if the answer contains none, or one that must not be recorded. */
  created(name: string, id: string | undefined): void;
  /** It was not made, or is removed. */
  gone(name: string): void;
}
