// Runs every `check:*` script of package.json and then all tests, says at the end how each went, and fails
// if one of them did. `--checks-only` leaves the tests out.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './run-program.mjs';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'grounded-chat-verify-'));
const report = join(folder, 'tests.json');

const steps = Object.entries(scripts)
  .filter(([name]) => name.startsWith('check:'))
  .map(([name, command]) => ({ name: name.slice('check:'.length), command }));
if (!process.argv.includes('--checks-only')) {
  const reporters = `--reporter=default --reporter=json --outputFile.json="${report}"`;
  steps.push({ name: 'tests', command: `vitest run ${reporters}` });
}

try {
  process.exitCode = await verify();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function verify() {
  const lines = [];
  let hasFailed = false;
  for (const { name, command } of steps) {
    process.stdout.write(`\n── ${name} ──\n`);
    const startedAt = Date.now();
    const { code, signal, stoppedBy } = await runProgram(command, [], { shell: true });
    if (stoppedBy) return 130;
    hasFailed ||= code !== 0;
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    const how = code === 0 ? 'ok' : `FAILED (${signal ?? `exit code ${code}`})`;
    lines.push(`  ${name.padEnd(16)} ${`${seconds} s`.padStart(8)}  ${how}`);
  }
  process.stdout.write(`\n── summary ──\n${lines.join('\n')}\n${testCounts()}`);
  process.stdout.write(hasFailed ? '\nNOT GOOD: see the failures above\n' : '\nall good\n');
  return hasFailed ? 1 : 0;
}

function testCounts() {
  let counts;
  try {
    counts = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return '';
  }
  const { numPassedTests, numFailedTests, numPendingTests } = counts;
  return `\n${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped\n`;
}
