/**
 * The equality for each comparison of what was sent with what was returned. Rules compare through these functions alone, so that
 * the table in `docs/equality.md` is all there is; a test reads the rules and holds it.
 */

export interface Comparison {
  readonly what: string;
  /** How two of them are the same. */
  readonly by: string;
  /** What a stricter reading would ask for, and what becomes of it. */
  readonly stricter?: string;
}

/** By the name of the function that compares. */
export const comparisons: Readonly<Record<string, Comparison>> = {
  expectMember: {
    what: '`valid` of verify',
    by: 'identical: a truth value',
  },
  isPartial: {
    what: '`status` of a run',
    by: 'identical: `PARTIAL`, in capitals, as the specification writes it; any other text is another status',
  },
  isInvalidInput: {
    what: '`error` of a 400',
    by: 'identical: `invalid_input`, as the specification writes it',
  },
  expectTier: {
    what: 'tiers: what verify reports, compared with the profile, with the request that created or changed the key, and with earlier reports',
    by: 'equal except for Unicode normal form',
    stricter: 'another case is a warning',
  },
  isSameTier: {
    what: 'tiers of two keys, and a tier before and after a change',
    by: 'equal except for Unicode normal form',
  },
  isSameName: {
    what: 'the name of an actor: `actor` of an error, compared with the path',
    by: 'equal except for case, width and Unicode normal form, if the service shows that it treats both as one; always equal except for percent-encoding',
    stricter: 'if it does not show that, another spelling is a warning',
  },
  expectFieldNamed: {
    what: 'the name of a field in `detail`',
    by: 'a word of it is equal except for case, width and Unicode normal form, in any notation of paths',
    stricter: '`founded_after` for `foundedAfter` is a warning',
  },
  namesField: {
    what: 'the field of another call in `detail`',
    by: 'a word of it is equal except for case, width and Unicode normal form',
  },
  isOfOtherCall: {
    what: '`actor` of an error, compared with that of a simultaneous call',
    by: 'only a value identical to that of the other call is wrong',
  },
  holdsText: {
    what: 'nonces and tokens of sources in items',
    by: 'equal except for case, anywhere in the items',
  },
  isOthers: {
    what: 'nonces and tokens that belong to another run',
    by: 'equal except for case',
  },
  formsOf: {
    what: 'the SHA-256 of a key in its record and in the store',
    by: 'the same bytes: hexadecimal in either case, base64, base64url, base32, lists of numbers, raw; with a label before it, separators in it, or in pieces',
  },
  showsPlaintext: {
    what: 'a key in a later answer',
    by: 'the same characters in any coding, whole or nearly; a preview does not count',
  },
  echoesIn: {
    what: 'keys and tokens in an answer',
    by: 'any twelve characters in a row, in any coding',
  },
  fingerprintOf: {
    what: 'schemas that were shown before',
    by: 'equal as JSON: numbers as decimals, members in any order',
  },
  expectSameAnswer: {
    what: 'answers of the disabled interface with and without a token',
    by: 'equal as JSON, except where identical calls differ: numbers as decimals, members in any order',
  },
  expectJsonContentType: {
    what: '`Content-Type`',
    by: 'the media type, in any case: `application/json` or one that ends in `+json`; parameters do not matter',
    stricter: 'two such fields are a warning, because HTTP allows one',
  },
  statusFits: {
    what: 'statuses',
    by: 'the number, or its class if the specification names no number',
  },
  headerValues: {
    what: 'the name of a header that is read',
    by: 'equal except for case; each field of that name counts',
  },
  recordsIn: {
    what: 'lists of keys before and after a refusal',
    by: 'the number of records; their order and their members do not matter',
  },
  addressOfSource: {
    what: 'the requested address of a source',
    by: 'equal except for what clients normalise: case, escapes, doubled slashes, dot segments, and a slash, parameters or a query at the end',
  },
};
