import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Name of the file that lists what passed. The file is in the Git directory, so that it is never committed. */
const gateFile = 'gate-passed';
const stepsFile = 'verify-passed.json';

/**
 * Returns the commit of a work tree without changes, or null if there are changes. Only a commit can be recorded as
 * passed.
 */
export function findCleanCommit() {
  try {
    return git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD') : null;
  } catch {
    return null; // a copy of the files without Git
  }
}

/** Returns the names of the steps that have passed on a commit. */
export function readPassedSteps(commit) {
  try {
    const record = JSON.parse(readFileSync(pathOf(stepsFile), 'utf8'));
    return commit !== null && record.commit === commit ? record.steps : [];
  } catch {
    return [];
  }
}

export function recordPassedStep(commit, name) {
  if (commit === null) return;
  const steps = [...new Set([...readPassedSteps(commit), name])];
  writeFileSync(pathOf(stepsFile), `${JSON.stringify({ commit, steps })}\n`);
}

export function recordPassedGate(commit) {
  if (commit !== null) writeFileSync(pathOf(gateFile), `${commit}\n`);
}

/** Returns the commit on which the gate has passed last, or null. */
export function readPassedGate() {
  try {
    return readFileSync(pathOf(gateFile), 'utf8').trim();
  } catch {
    return null;
  }
}

function pathOf(file) {
  return join(git('rev-parse', '--git-dir'), file);
}

function git(...args) {
  return execFileSync('git', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
