import { defineConfig } from 'vitest/config';

/** They keep all processors busy, beside which nothing else can be asked within the time that it has. */
const containers = ['src/target/container.test.ts', 'src/target/compose.test.ts'];

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
      { test: { ...shared, name: 'tests', include: ['**/*.test.ts'], exclude: [...elsewhere, ...containers] } },
      { test: { ...shared, name: 'containers', include: containers, exclude: elsewhere, sequence: { groupOrder: 1 } } },
    ],
  },
});
