/** If more files than this failed, a busy machine is not the reason, so no file runs again. */
const mostReruns = 8;

/**
 * Runs each failed test file once more, in a new process and without other files. If all failed files of a step pass,
 * the step passes, and its result lists these files with their first errors as `unstable`. Changes `results`.
 * @param {(file: string, step: {name: string, env: NodeJS.ProcessEnv}) =>
 * Promise<import('./run-vitest.mjs').VitestResult>} runFile runs vitest with one test file
 */
export async function rerunFailures(results, runFile) {
  const failed = results.filter(({ failure, failures = [] }) => failure && failures.length > 0);
  const files = failed.flatMap(({ failures }) => failures);
  if (files.length > mostReruns) return;
  for (const result of failed) {
    const passed = await rerun(result, runFile);
    if (passed === null) continue;
    result.files = [...result.files.filter(({ file }) => !isIn(passed, file)), ...passed];
    result.unstable = result.failures;
    result.failures = [];
    result.failure = null;
  }
}

/**
 * Returns the failed files with their new results. Returns null if a file fails again, or if an error belongs to no
 * file.
 */
async function rerun({ name, env, failures }, runFile) {
  const passed = [];
  for (const file of new Set(failures.map(({ file }) => file))) {
    if (file === null) return null;
    const again = await runFile(file, { name, env });
    if (again.code !== 0) return null;
    passed.push(...again.files);
  }
  return passed;
}

function isIn(files, wanted) {
  return files.some(({ file }) => file === wanted);
}
