// Runs the checks (every `check:*` script of package.json) and the chosen groups of tests, called gears. Prints the
// result of each, and the commands of the gears that did not run. Fails if a check or a test failed.
//
//   verify.mjs                 checks and the gear `service`: proves the installation on a fresh machine
//   verify.mjs GEAR…           only these gears
//   verify.mjs --all           checks and every gear
//   verify.mjs --checks-only   only the checks
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { exitCodeOf, runProgram } from './run-program.mjs';

/** Tests of processes that use the embedded database or none. They prove the same on a server. */
const withoutServerTests =
  'test/processes/{launcher,extract-*,embedded-*,documentation,code-samples,conformance,markdown-time-limit,disk-full,packages}.test.ts';

/**
 * Groups of tests by name. `args` are arguments of `vitest run`. vitest.config.ts assigns the test files to projects.
 */
const gears = {
  service: {
    what: 'unit and service tests on the embedded database',
    command: 'npm test',
    args: ['--project', 'service'],
  },
  processes: {
    what: 'tests that start, kill or load processes of the service, on the embedded database',
    command: 'npm run test:processes',
    args: ['--project', 'processes'],
  },
  browser: {
    what: 'tests of dashboard and widget in Chromium',
    command: 'npm run test:browser',
    args: ['--project', 'browser'],
    /** Skipped tests in this group count as a failure, reported with this reason. */
    skipMeans: 'Chromium is missing: run test/support/chromium-up.sh or set CHROMIUM_PATH',
  },
  postgres: {
    what: 'the gears service and processes on a Postgres server',
    command: 'TEST_DATABASE_URL=… npm run test:postgres',
    args: ['--project', 'service', '--project', 'processes', '--exclude', withoutServerTests],
    needsServer: true,
  },
  topology: {
    what: 'four processes that die under load; needs root on Debian',
    command: 'npm run topology',
    args: ['--config', 'vitest.topology.config.ts'],
  },
};

/** Number of checks to run at the same time: as many as there are test workers. */
const parallelChecks = 2;

/** Characters of a failure's message and stack in the summary. */
const longestReason = 600;

/** A failed test runs once more, because a machine may stall. The summary lists tests that needed the second attempt. */
const retries = 1;

const options = process.argv.slice(2);
const isAll = options.includes('--all');
const isChecksOnly = options.includes('--checks-only');
const named = options.filter((option) => !option.startsWith('--'));
const hasChecks = isAll || isChecksOnly || named.length === 0;
const chosen = isAll ? Object.keys(gears) : isChecksOnly || named.length > 0 ? named : ['service'];

const folder = mkdtempSync(join(tmpdir(), 'grounded-chat-verify-'));
try {
  process.exitCode = await verify();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function verify() {
  const problem = findProblem();
  if (problem !== null) {
    process.stderr.write(`${problem}\n`);
    return 2;
  }
  const results = [];
  if (hasChecks) results.push(...(await runChecks()));
  for (const name of chosen) {
    if (results.some(({ result }) => result.stoppedBy)) break;
    results.push(await runGear(name));
  }
  const stopped = results.find(({ result }) => result.stoppedBy);
  if (stopped !== undefined) return exitCodeOf(stopped.result) || 130;

  const hasFailed = results.some(({ failure }) => failure !== null);
  process.stdout.write(`\n── summary ──\n${results.map(summaryLine).join('\n')}\n`);
  if (!isChecksOnly) process.stdout.write(otherGears());
  const counts = results.flatMap((result) => result.counts ?? []);
  process.stdout.write(
    section(
      'passed at the second attempt',
      counts.flatMap(({ repeated }) => repeated),
    ),
  );
  process.stdout.write(
    section(
      'failed tests',
      counts.flatMap(({ failures }) => failures),
    ),
  );
  process.stdout.write(
    section(
      'errors that no test caught',
      results.flatMap(({ unhandled = [] }) => unhandled),
    ),
  );
  process.stdout.write(hasFailed ? '\nFAILED: see the failures above\n' : '\nall good\n');
  return hasFailed ? 1 : 0;
}

/** Returns why the chosen gears cannot run, or null if they can. Called first, because the checks take minutes. */
function findProblem() {
  const unknown = chosen.filter((name) => !Object.hasOwn(gears, name));
  if (unknown.length > 0)
    return `unknown gear ${unknown.join(', ')}: choose from ${Object.keys(gears).join(', ')}`;
  if (!chosen.some((name) => gears[name].needsServer) || process.env.TEST_DATABASE_URL) return null;
  return [
    'TEST_DATABASE_URL is missing: set it to the address of a Postgres with pgvector whose role may create databases.',
    'On Debian, `bash test/support/postgres-up.sh` sets up a private one and prints its address.',
  ].join('\n');
}

async function runChecks() {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const waiting = Object.entries(scripts).filter(([name]) => name.startsWith('check:'));
  const results = [];
  const runWaiting = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [script, command] = next;
      const check = await timed(script.slice('check:'.length), () =>
        runProgram(command, [], { shell: true, collect: true }),
      );
      process.stdout.write(`\n── ${check.name} ──\n${check.result.output}`);
      results.push(check);
      if (check.result.stoppedBy) waiting.length = 0;
    }
  };
  await Promise.all(Array.from({ length: parallelChecks }, runWaiting));
  return results;
}

async function runGear(name) {
  const { what, args, needsServer = false, skipMeans = null } = gears[name];
  process.stdout.write(`\n── ${name}: ${what} ──\n`);
  const report = join(folder, `${name}.json`);
  const unhandled = join(folder, `${name}-unhandled.json`);
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    '--reporter=./scripts/unhandled-errors-reporter.mjs',
  ];
  // Runs vitest without a shell, so that a signal reaches it and no test process survives.
  const gear = await timed(name, () =>
    runProgram(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', ...args, ...reporters, `--retry=${retries}`],
      {
        env: {
          ...(needsServer ? process.env : withoutServer(process.env)),
          UNHANDLED_ERRORS_FILE: unhandled,
        },
      },
    ),
  );
  const counts = readCounts(report);
  const isIncomplete = skipMeans !== null && counts !== null && counts.skipped > 0;
  const failure = gear.failure ?? (isIncomplete ? `FAILED (${skipMeans})` : null);
  return { ...gear, counts, failure, unhandled: readUnhandledErrors(unhandled) };
}

function withoutServer({ TEST_DATABASE_URL, TEST_POOLER_URL, TEST_SUPABASE, ...env }) {
  return env;
}

async function timed(name, run) {
  const startedAt = Date.now();
  const result = await run();
  const code = exitCodeOf(result);
  const failure = code === 0 ? null : `FAILED (exit code ${code})`;
  return { name, result, failure, seconds: (Date.now() - startedAt) / 1000 };
}

function readCounts(report) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    return {
      passed: numPassedTests,
      failed: numFailedTests,
      skipped: numPendingTests,
      failures: testResults.flatMap((file) => listFailures(file, 'failed')),
      repeated: testResults.flatMap((file) => listFailures(file, 'passed')),
    };
  } catch {
    return null;
  }
}

function readUnhandledErrors(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).map((text) => oneLine(text, 3 * longestReason));
  } catch {
    return [];
  }
}

/**
 * Returns a line for each test of a file that failed at its first attempt and has this status now, or for the file
 * itself if it could not run.
 */
function listFailures({ name, status: fileStatus, message, assertionResults }, status) {
  const file = relative(process.cwd(), name);
  const lines = assertionResults
    .filter((test) => test.status === status && test.failureMessages.length > 0)
    .map((test) => failureLine(`${file} > ${test.fullName}`, test.failureMessages[0]));
  const hasNotRun =
    fileStatus === 'failed' && assertionResults.every((test) => test.status !== 'failed');
  return hasNotRun && status === 'failed' ? [failureLine(file, message)] : lines;
}

function failureLine(title, message = '') {
  return `${title}: ${oneLine(message)}`;
}

/** Returns a message and the start of its stack on one line. Prisma's messages start with empty lines. */
function oneLine(message, limit = longestReason) {
  return stripVTControlCharacters(message).replace(/\s+/g, ' ').trim().slice(0, limit);
}

function summaryLine({ name, seconds, failure, counts = null }) {
  const tests =
    counts === null
      ? ''
      : `  ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;
  return `  ${name.padEnd(16)} ${`${seconds.toFixed(1)} s`.padStart(8)}  ${failure ?? 'ok'}${tests}`;
}

function section(title, lines) {
  return lines.length === 0 ? '' : `\n${title}:\n  ${lines.join('\n  ')}\n`;
}

function otherGears() {
  const others = Object.entries(gears).filter(([name]) => !chosen.includes(name));
  if (others.length === 0) return '';
  const lines = others.map(
    ([name, { what, command }]) => `  ${name.padEnd(10)} ${what}: ${command}`,
  );
  return `\nnot run:\n${lines.join('\n')}\n`;
}
