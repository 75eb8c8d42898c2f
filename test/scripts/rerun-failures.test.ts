import { expect, it } from 'vitest';

/** The script is plain JavaScript without types, because it must run before the install. */
const script: string = '../../scripts/verify/rerun-failures.mjs';
const { rerunFailures } = await import(script);

const inbox = 'test/schema/inbox.test.ts';
const usage = 'test/schema/usage.test.ts';
const env = { TEST_DATABASE_URL: 'postgresql://db' };

it('turns a step green whose failed files pass alone, and lists them as unstable', async () => {
  const result = failedStep([inbox]);
  const runs = await rerun([result], { [inbox]: true });
  expect(runs).toEqual([[inbox, { name: 'gate-postgres', env }]]);
  expect(result).toMatchObject({
    failure: null,
    failures: [],
    unstable: [{ file: inbox, reasons: ['keeps order: expected 1 to be 2'] }],
  });
});

it('counts the tests of the second run', async () => {
  const result = failedStep([inbox]);
  await rerun([result], { [inbox]: true });
  expect(result.files).toEqual([counted(usage, 3, 0), counted(inbox, 5, 0)]);
});

it('leaves a step red if one of its files fails again', async () => {
  const result = failedStep([inbox, usage]);
  await rerun([result], { [inbox]: true, [usage]: false });
  expect(result.failure).toBe('FAILED (exit code 1)');
  expect(result.failures.map(({ file }) => file)).toEqual([inbox, usage]);
});

it('leaves a step red with an error that belongs to no file', async () => {
  const result = failedStep([null]);
  expect(await rerun([result], {})).toEqual([]);
  expect(result.failure).toBe('FAILED (exit code 1)');
});

it('leaves steps red that failed without a result of a test', async () => {
  const result = failedStep([]);
  expect(await rerun([result], {})).toEqual([]);
  expect(result.failure).toBe('FAILED (exit code 1)');
});

it('runs no file again if many failed', async () => {
  const files = Array.from({ length: 9 }, (_, at) => `test/schema/${at}.test.ts`);
  const result = failedStep(files);
  expect(await rerun([result], {})).toEqual([]);
  expect(result.failures).toHaveLength(9);
});

function failedStep(files: readonly (string | null)[]) {
  return {
    name: 'gate-postgres',
    env,
    failure: 'FAILED (exit code 1)' as string | null,
    failures: files.map((file) => ({ file, reasons: ['keeps order: expected 1 to be 2'] })),
    files: [counted(inbox, 4, 1), counted(usage, 3, 0)],
  };
}

function counted(file: string, passed: number, failed: number) {
  return { file, seconds: 1, passed, failed, skipped: 0 };
}

/** Reruns failures. `passes` says which files pass then. Returns the arguments of each run. */
async function rerun(
  results: readonly ReturnType<typeof failedStep>[],
  passes: Readonly<Record<string, boolean>>,
) {
  const runs: unknown[] = [];
  await rerunFailures(results, async (file: string, step: unknown) => {
    runs.push([file, step]);
    return { code: passes[file] ? 0 : 1, files: [counted(file, 5, 0)], failures: [] };
  });
  return runs;
}
