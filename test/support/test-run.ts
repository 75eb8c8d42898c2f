/** Name of the environment variable that contains the random name of this test run. Workers inherit it. */
export const runVariable = 'TEST_RUN';

/** Returns the prefix of the names of directories that this run creates for services. */
export function directoryPrefix(): string {
  return `grounded-chat-test-${runName()}-`;
}

/** Returns the prefix of the names of databases that this run creates on a server. */
export function databasePrefix(): string {
  return `test_${runName()}_`;
}

function runName(): string {
  return process.env[runVariable] ?? String(process.pid);
}
