import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Age at which a lock is stale. No install takes that long. The age is needed because another process may reuse the
 * process id in the lock.
 */
const staleLockMs = 30 * 60_000;
/** Age at which an empty lock file is stale. A process needs less time to create the file and write its id. */
const emptyLockTimeoutMs = 10_000;

/**
 * Runs `work` while no other process holds the lock file, and returns its result. `work` receives a function that adds
 * the process id of a child to the lock. If this process is killed, the lock stays valid until its children have also
 * exited, so that other launches still wait for them.
 */
export async function withLock(path, say, work) {
  mkdirSync(dirname(path), { recursive: true });
  let hasReported = false;
  while (!tryCreateLock(path)) {
    if (isStale(path)) {
      removeStaleLock(path);
    } else if (!hasReported) {
      say('another launch is installing, waiting for it …');
      hasReported = true;
    }
    await sleep(100);
  }
  try {
    return await work((pid) => appendFileSync(path, ` ${pid}`));
  } finally {
    rmSync(path, { force: true });
  }
}

function tryCreateLock(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isStale(path) {
  try {
    const ageMs = Date.now() - statSync(path).mtimeMs;
    const pids = readFileSync(path, 'utf8').split(' ').map(Number).filter(Boolean);
    if (pids.length === 0) return ageMs > emptyLockTimeoutMs;
    return ageMs > staleLockMs || !pids.some(isAlive);
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * Removes a stale lock. Only one process at a time checks and removes a lock. Otherwise a process could remove the new
 * lock of another process.
 */
function removeStaleLock(path) {
  const removalLock = `${path}.removal`;
  if (!tryCreateLock(removalLock)) {
    if (isStale(removalLock)) rmSync(removalLock, { force: true });
    return;
  }
  if (isStale(path)) rmSync(path, { force: true });
  rmSync(removalLock, { force: true });
}
