/** What k6 has in addition to @types/k6. */
declare const console: { log(text: string): void };
