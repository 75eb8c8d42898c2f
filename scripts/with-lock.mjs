import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than any install; guards against process ids that were given out anew. */
const oldMs = 30 * 60_000;
/** Longer than any process needs between creating a file and writing its id into it. */
const emptyMs = 10_000;

/**
 * Runs `work` while no other process runs under the same lock file, and returns its result.
 * `work` gets a function that notes a child's process id: the lock lasts until all noted processes are
 * gone, so a child that outlives its killed parent is waited for.
 */
export async function withLock(path, say, work) {
  mkdirSync(dirname(path), { recursive: true });
  let hasSaid = false;
  while (!create(path)) {
    if (isAbandoned(path)) {
      removeAbandoned(path);
    } else if (!hasSaid) {
      say('another launch is installing, waiting for it …');
      hasSaid = true;
    }
    await sleep(100);
  }
  try {
    return await work((pid) => appendFileSync(path, ` ${pid}`));
  } finally {
    rmSync(path, { force: true });
  }
}

function create(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isAbandoned(path) {
  try {
    const ageMs = Date.now() - statSync(path).mtimeMs;
    const pids = readFileSync(path, 'utf8').split(' ').map(Number).filter(Boolean);
    if (pids.length === 0) return ageMs > emptyMs;
    return ageMs > oldMs || !pids.some(isAlive);
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

/** One process at a time looks again and removes, so that nobody removes the lock of its successor. */
function removeAbandoned(path) {
  const removal = `${path}.removal`;
  if (!create(removal)) {
    if (isAbandoned(removal)) rmSync(removal, { force: true });
    return;
  }
  if (isAbandoned(path)) rmSync(path, { force: true });
  rmSync(removal, { force: true });
}
