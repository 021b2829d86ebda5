/** What k6 has beside what @types/k6 says. */
declare const console: { log(text: string): void };
