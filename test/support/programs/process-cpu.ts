import { readdirSync, readFileSync } from 'node:fs';

/** Returns the processor time in milliseconds that all threads of a process have used. Linux only. */
export function readCpuMilliseconds(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(tasks).map((task) =>
    readNanoseconds(`${tasks}/${task}/schedstat`),
  );
  return nanoseconds.reduce((sum, value) => sum + value, 0) / 1e6;
}

/** Reads the processor time of a thread in nanoseconds. Returns 0 if the thread has exited. */
function readNanoseconds(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0]);
  } catch {
    return 0;
  }
}
