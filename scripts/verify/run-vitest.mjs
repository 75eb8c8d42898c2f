import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { exitCodeOf, runProgram } from '../run-program.mjs';

/** Maximum number of characters of a failure's message and stack in the summary. */
const longestReason = 600;

/** A vitest run that takes longer is stuck. It is stopped and counts as failed. */
const longestRunMs = 45 * 60_000;

/**
 * Runs vitest without a shell, so that vitest receives signals and no test process survives.
 * @returns {Promise<VitestResult>}
 * @typedef {object} VitestResult
 * @property {number} code exit code
 * @property {string | null} stoppedBy signal that stopped this process during the run
 * @property {{file: string | null, reasons: string[]}[]} failures failed files, with a line for each failed test and
 * each error that no test caught; `file` is null if the file of an error is unknown
 * @property {{file: string, seconds: number, passed: number, failed: number, skipped: number}[]} files each file with
 * its numbers of tests; empty without a report
 */
export async function runVitest(args, { env, folder, name }) {
  requireFiles(args);
  const report = join(folder, `${name}.json`);
  const unhandled = join(folder, `${name}-unhandled.json`);
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    '--reporter=./scripts/verify/unhandled-errors-reporter.mjs',
  ];
  const result = await runProgram(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', ...args, ...reporters],
    { env: { ...env, UNHANDLED_ERRORS_FILE: unhandled }, timeout: longestRunMs },
  );
  const { failures, files } = readReport(report);
  return {
    code: exitCodeOf(result),
    stoppedBy: result.stoppedBy,
    files,
    failures: [...failures, ...readUnhandledErrors(unhandled)],
  };
}

/** Throws if a path matches no file, because vitest would silently ignore the path. */
function requireFiles(args) {
  const missing = args.filter((arg) => arg.startsWith('test/') && !existsSync(arg));
  if (missing.length > 0) throw new Error(`no such test: ${missing.join(', ')}`);
}

function readReport(path) {
  if (!existsSync(path)) return { failures: [], files: [] };
  const { testResults } = JSON.parse(readFileSync(path, 'utf8'));
  return {
    failures: testResults.filter(({ status }) => status === 'failed').map(failureOf),
    files: testResults.map(fileOf),
  };
}

function fileOf({ name, startTime, endTime, assertionResults }) {
  const count = (status) => assertionResults.filter((test) => test.status === status).length;
  const [passed, failed] = [count('passed'), count('failed')];
  return {
    file: relative(process.cwd(), name),
    seconds: (endTime - startTime) / 1000,
    passed,
    failed,
    skipped: assertionResults.length - passed - failed,
  };
}

function failureOf({ name, message, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === 'failed');
  const reasons = failed.map((test) => `${test.fullName}: ${oneLine(test.failureMessages[0])}`);
  return {
    file: relative(process.cwd(), name),
    reasons: reasons.length > 0 ? reasons : [oneLine(message)],
  };
}

/** vitest's JSON report does not contain errors that no test caught, although they make the run fail. */
function readUnhandledErrors(path) {
  if (!existsSync(path)) return [];
  return JSON.parse(readFileSync(path, 'utf8')).map(({ file, text }) => ({
    file: file === null ? null : relative(process.cwd(), file),
    reasons: [oneLine(text, 3 * longestReason)],
  }));
}

/** Returns a message and the start of its stack on one line. Messages of Prisma start with empty lines. */
function oneLine(message, limit = longestReason) {
  return stripVTControlCharacters(message ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, limit);
}
