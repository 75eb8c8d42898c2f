import { defineConfig } from 'vitest/config';

const inBrowser = 'test/dashboard/**/*.test.ts';

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  resolve: {
    // Vite would take graphql's ES module and Node the CommonJS one: two classes of the same name.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  test: {
    pool: 'forks',
    // Every worker runs a database of its own.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    // A run of nothing proves nothing.
    passWithNoTests: false,
    allowOnly: false,
    projects: [
      {
        extends: true,
        test: { name: 'service', include: ['test/**/*.test.ts'], exclude: [inBrowser] },
      },
      {
        extends: true,
        test: {
          name: 'dashboard',
          include: [inBrowser],
          // A browser needs the processors for itself: after the others, one file at a time.
          sequence: { groupOrder: 1 },
          maxWorkers: 1,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
