import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  resolve: {
    // Vite would take graphql's ES module and Node the CommonJS one: two classes of the same name.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // Every worker runs a database of its own.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    // A run of nothing proves nothing.
    passWithNoTests: false,
    allowOnly: false,
  },
});
