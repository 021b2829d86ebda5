import { defineConfig } from 'vitest/config';
import { longTests } from './proofs/parts.ts';

const shared = {
  // Files share nothing by accident: each opens what it needs on port 0 and closes it again.
  isolate: false,
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

const elsewhere = ['**/node_modules/**', '**/dist/**', 'docs/examples/**'];

export default defineConfig({
  test: {
    projects: [
      { test: { ...shared, name: 'tests', include: ['**/*.test.ts'], exclude: [...elsewhere, ...longTests] } },
      // `npm run prove` runs these, part by part.
      { test: { ...shared, name: 'long', include: [...longTests], exclude: elsewhere } },
    ],
  },
});
