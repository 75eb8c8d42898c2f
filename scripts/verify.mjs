// Runs the checks (every `check:*` script of package.json) and steps of tests (verify/steps.mjs). After the other
// tests, each test file that failed runs once more, without other files. If it passes then, the summary lists it as
// unstable. Fails if a check or a test failed.
//
//   verify.mjs                   checks and the step `service`: proves the installation on a fresh machine
//   verify.mjs STEP…             only these steps; --install also installs the tools that they need
//   verify.mjs --checks-only     only the checks
//   verify.mjs --gate            what every submission must pass: .ci/run
//   verify.mjs --all             everything, as before a release; --resume skips steps that have passed on this commit
//   --write-budget               writes the times of this run to test/time-budget.json
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitCodeOf, runProgram, StoppedError } from './run-program.mjs';
import { selectAffectedTests } from './verify/affected-tests.mjs';
import {
  findCleanCommit,
  readPassedSteps,
  recordPassedGate,
  recordPassedStep,
} from './verify/record.mjs';
import { rerunFailures } from './verify/rerun-failures.mjs';
import { runVitest } from './verify/run-vitest.mjs';
import { affectedSteps, allSteps, gateSteps } from './verify/steps.mjs';
import { printSummary } from './verify/summary.mjs';
import { readTimeBudget, writeTimeBudget } from './verify/time-budget.mjs';
import { findMissingTool, Toolbox } from './verify/tools.mjs';

/** Number of checks that run at the same time. Equals the number of test workers. */
const parallelChecks = 2;

/** Maximum time in seconds of the slow tests that the gate adds for a change. */
const affectedSeconds = 240;

const options = process.argv.slice(2);
const modes = ['--gate', '--all', '--checks-only'];
const knownOptions = [...modes, '--install', '--resume', '--write-budget'];
const named = options.filter((option) => !option.startsWith('--'));
const mode = modes.find((option) => options.includes(option)) ?? null;
const isInstalling = mode === '--gate' || mode === '--all' || options.includes('--install');

class UsageError extends Error {
  exitCode = 2;
}

const folder = mkdtempSync(join(tmpdir(), 'grounded-chat-verify-'));
chmodSync(folder, 0o711); // Postgres runs as another user below it
const toolbox = new Toolbox(folder);
try {
  process.exitCode = await verify();
} catch (error) {
  if (!(error instanceof StoppedError)) process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode ?? 1;
} finally {
  await toolbox.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function verify() {
  const { steps, left } = chooseSteps();
  if (!isInstalling) {
    const problem = findMissingTool(steps.flatMap(({ tools = [] }) => tools));
    if (problem !== null) throw new Error(problem);
  }
  const commit = findCleanCommit();
  const passed = options.includes('--resume') ? readPassedSteps(commit) : [];
  // Downloads of tools use little processor time, so they run at the same time as the checks.
  if (isInstalling) prepareEarly(steps.filter(({ name }) => !passed.includes(name)));

  const results = [];
  for (const step of steps) {
    const ran = passed.includes(step.name)
      ? [{ name: step.name, seconds: 0, skipped: 'has passed on this commit' }]
      : [await runStep(step)].flat();
    results.push(...ran);
    // Records each step immediately, so that an interrupted run can be resumed.
    if (ran.every(({ failure, skipped }) => !failure && !skipped)) {
      recordPassedStep(commit, step.name);
    }
  }
  await rerunFailures(results, runFileAgain);
  for (const { name, failure, unstable } of results) {
    if (unstable && !failure) recordPassedStep(commit, name);
  }
  const hasFailed = results.some(({ failure }) => failure);
  if (mode === '--gate' && !hasFailed) recordPassedGate(commit);
  if (options.includes('--write-budget')) writeTimeBudget(results);
  printSummary({ results, left, hasFailed });
  return hasFailed ? 1 : 0;
}

/** Returns the steps to run, and one line for each group of tests that this run leaves out. */
function chooseSteps() {
  const known = [...allSteps, ...gateSteps];
  requireKnown('step', named, new Set(known.map(({ name }) => name)));
  const given = options.filter((option) => option.startsWith('--'));
  requireKnown('option', given, new Set(knownOptions));
  if (given.filter((option) => modes.includes(option)).length + Math.min(named.length, 1) > 1) {
    throw new UsageError(`choose one of ${modes.join(', ')}, or name steps`);
  }
  if (mode === '--checks-only') return { steps: [allSteps[0]], left: [] };
  if (mode === '--all') return { steps: allSteps, left: [] };
  if (mode === '--gate') return withAffectedTests();
  const wanted = named.length > 0 ? named : ['checks', 'service'];
  const steps = wanted.map((name) => known.find((step) => step.name === name));
  return { steps, left: othersThan(steps) };
}

function requireKnown(kind, given, known) {
  const unknown = given.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new UsageError(
    `unknown ${kind} ${unknown.join(', ')}: choose from ${[...known].join(', ')}`,
  );
}

function withAffectedTests() {
  const { base, changed, chosen, left } = selectAffectedTests({
    maxSeconds: affectedSeconds,
    fileSeconds: readTimeBudget().files,
    without: [...gateSteps, ...allSteps.filter(needsOtherTools)].flatMap(({ tests = [] }) => tests),
  });
  process.stdout.write(`${changed} files changed since ${base}\n`);
  const steps = [...gateSteps, ...affectedSteps(chosen)];
  const affected =
    left.length === 0
      ? []
      : [`slow tests that the change may affect, too: npm run vitest -- run ${left.join(' ')}`];
  return { steps, left: [...affected, ...othersThan(steps)] };
}

/** Returns whether a step needs tools that the gate does not install. If it does, the gate skips its tests. */
function needsOtherTools({ tools = [] }) {
  return tools.some((tool) => !gateSteps.some((step) => step.tools?.includes(tool)));
}

function othersThan(steps) {
  return allSteps
    .filter((step) => !steps.includes(step))
    .map(({ name, what }) => `${name.padEnd(14)} ${what}`);
}

function prepareEarly(steps) {
  for (const { tools = [] } of steps) toolbox.prepare(tools).catch(() => {}); // fails where it is awaited
}

/** @returns one result, or for the checks an array with one result each */
async function runStep({ name, what, tests, program, tools = [], env: additions = {} }) {
  if (name === 'checks') return runChecks();
  process.stdout.write(`\n── ${name}: ${what} ──\n`);
  const startedAt = Date.now();
  const prepared = await toolbox.prepare(tools).catch(toFailedTool);
  if (prepared.failure) {
    process.stderr.write(`${prepared.failure}\n`);
    return { name, seconds: (Date.now() - startedAt) / 1000, failure: 'FAILED (no tools)' };
  }
  if (prepared.missing !== null) {
    return { name, seconds: 0, skipped: `${prepared.missing} cannot be installed here` };
  }
  const env = { ...prepared.env, ...additions };
  const run = tests
    ? () => runVitest(tests, { env, folder, name })
    : () => runProgram(program[0], program.slice(1), { env }).then(withCode);
  return { ...(await timed(name, run)), env };
}

function toFailedTool(error) {
  if (error instanceof StoppedError) throw error;
  return { failure: error.message };
}

function runFileAgain(file, { name, env }) {
  process.stdout.write(`\n── ${name}: ${file} once more ──\n`);
  const config = file.endsWith('.run.ts') ? ['--config', 'vitest.topology.config.ts'] : [];
  return runVitest([...config, file], { env, folder, name: `${name}-again` });
}

async function runChecks() {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const waiting = Object.entries(scripts).filter(([name]) => name.startsWith('check:'));
  const results = [];
  const runWaiting = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [script, command] = next;
      let output = '';
      const result = await timed(script.slice('check:'.length), async () => {
        const run = await runProgram(command, [], { shell: true, collect: true });
        output = run.output;
        return withCode(run);
      });
      process.stdout.write(`\n── ${result.name} ──\n${output}`);
      results.push(result);
    }
  };
  await Promise.all(Array.from({ length: parallelChecks }, runWaiting));
  return results;
}

function withCode(result) {
  return { code: exitCodeOf(result), stoppedBy: result.stoppedBy };
}

/** @throws StoppedError if a signal stopped this process during the step */
async function timed(name, run) {
  const startedAt = Date.now();
  const { code, stoppedBy, ...rest } = await run();
  if (stoppedBy) throw new StoppedError(stoppedBy);
  const failure = code === 0 ? null : `FAILED (exit code ${code})`;
  return { name, failure, seconds: (Date.now() - startedAt) / 1000, ...rest };
}
