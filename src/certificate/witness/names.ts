/** The files of a bundle whose runs a verifier's challenge began. */
export const challengeName = 'challenge.json';
export const journalName = 'started-runs.jsonl';
