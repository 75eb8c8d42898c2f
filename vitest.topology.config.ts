import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    include: ['test/topology/*.run.ts'],
    globalSetup: 'test/support/programs/build-bundle.ts',
    pool: 'forks',
    passWithNoTests: false,
    allowOnly: false,
  },
});
