// Runs every `check:*` script of package.json and then all tests, says at the end how each went, and fails
// if one of them did. `--checks-only` leaves the tests out.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitCodeOf, runProgram } from './run-program.mjs';

const folder = mkdtempSync(join(tmpdir(), 'grounded-chat-verify-'));
const report = join(folder, 'tests.json');

// Without a shell in between, so that a signal reaches vitest and no test process is left behind.
const tests = {
  name: 'tests',
  run: () =>
    runProgram(
      process.execPath,
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
      ],
      {},
    ),
};

try {
  process.exitCode = await verify(process.argv.includes('--checks-only'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function verify(isWithoutTests) {
  const lines = [];
  let hasFailed = false;
  for (const { name, run } of [...checks(), ...(isWithoutTests ? [] : [tests])]) {
    process.stdout.write(`\n── ${name} ──\n`);
    const startedAt = Date.now();
    const result = await run();
    const code = exitCodeOf(result);
    if (result.stoppedBy) return code || 130;
    hasFailed ||= code !== 0;
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    const how = code === 0 ? 'ok' : `FAILED (exit code ${code})`;
    lines.push(`  ${name.padEnd(16)} ${`${seconds} s`.padStart(8)}  ${how}`);
  }
  process.stdout.write(`\n── summary ──\n${lines.join('\n')}\n${testCounts()}`);
  process.stdout.write(hasFailed ? '\nNOT GOOD: see the failures above\n' : '\nall good\n');
  return hasFailed ? 1 : 0;
}

function checks() {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  return Object.entries(scripts)
    .filter(([name]) => name.startsWith('check:'))
    .map(([name, command]) => ({
      name: name.slice('check:'.length),
      run: () => runProgram(command, [], { shell: true }),
    }));
}

function testCounts() {
  let counts;
  try {
    counts = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return '';
  }
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = counts;
  const isBrowserMissing = testResults.some(
    ({ name, assertionResults }) =>
      name.includes('/test/dashboard/') &&
      assertionResults.some(({ status }) => status === 'skipped'),
  );
  return [
    `\n${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped\n`,
    isBrowserMissing
      ? 'The dashboard was not tested: install Chromium (test/support/chromium-up.sh), or set CHROMIUM_PATH.\n'
      : '',
  ].join('');
}
