/** The version of this package; `cli.test.ts` holds it against package.json. */
export const version = '0.1.0';
