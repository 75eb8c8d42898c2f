import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

const inProcesses = 'test/processes/**/*.test.ts';
const inBrowser = 'test/dashboard/**/*.test.ts';

/*
 * The tests are in projects, each a step of scripts/verify.mjs with a command of its own:
 *
 * - `service` (npm test): everything that one process can prove: configuration, domain, GraphQL, REST and the contract.
 *   Its files share a process per worker, so that the service is imported once, and `sharedService` is started once.
 *   A file must therefore restore what it changes of the process, such as an environment variable or a timer.
 * - `processes` (npm run test:processes): what starts, kills or loads processes of the service, or needs minutes.
 * - `browser` (npm run test:browser): dashboard and widget in Chromium.
 *
 * On a Postgres server the first two are the step `postgres`. A new file belongs to `service` unless it cannot.
 */
// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  resolve: {
    // Vite would take graphql's ES module and Node the CommonJS one: two classes of the same name.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  test: {
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    globalSetup: 'test/support/clean-up-run.ts',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    // `expect.poll`: as long as `waitUntil` waits. A second is too short on a busy machine.
    expect: { poll: { timeout: 15_000, interval: 25 } },
    // A run of nothing proves nothing.
    passWithNoTests: false,
    allowOnly: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: [inProcesses, inBrowser],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          include: [inProcesses],
          globalSetup: 'test/support/programs/build-bundle.ts',
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: [inBrowser],
          // A browser needs the processors for itself: after the others, one file at a time.
          sequence: { groupOrder: 2 },
          maxWorkers: 1,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
