import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Files share nothing by accident: each opens what it needs on port 0 and closes it again.
    isolate: false,
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', 'docs/examples/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
