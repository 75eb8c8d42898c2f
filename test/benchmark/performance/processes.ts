import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCpuMilliseconds } from '../../support/programs/process-cpu.ts';

/** A process whose time and memory are measured, with its child processes. */
export interface MeasuredProcess {
  readonly origin: string;
  /** Milliseconds from the start of the process to its first successful response. */
  readonly startMs: number;
  cpuMs(): number;
  residentMegabytes(): number;
  /** Highest resident memory since the start of the process. */
  peakMegabytes(): number;
  stop(): Promise<void>;
}

export interface ProcessOptions {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Matches the output line with the port, and captures the port. */
  readonly portPattern: RegExp;
  /** A path that returns status 200 when the process is ready. */
  readonly readyPath: string;
}

const startTimeoutMs = 60_000;

/** Starts a Node process and waits until it is ready. Linux only. */
export async function startMeasured(options: ProcessOptions): Promise<MeasuredProcess> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, options.args, {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...options.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`Cannot start ${options.args.join(' ')}`);
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  try {
    const origin = `http://127.0.0.1:${await readPort(child.stdout, options.portPattern)}`;
    await waitUntilReady(origin + options.readyPath);
    const startMs = performance.now() - startedAt;
    return {
      ...{ origin, startMs, stop },
      cpuMs: () => cpuOfTree(pid),
      residentMegabytes: () => sum(processTree(pid), (id) => readMegabytes(id, 'VmRSS')),
      peakMegabytes: () => sum(processTree(pid), (id) => readMegabytes(id, 'VmHWM')),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the processor time in milliseconds of a process and of its child processes that run. */
export function cpuOfTree(pid: number): number {
  return sum(processTree(pid), readProcessorMilliseconds);
}

/** Kills all processes that this process has started. */
export function killChildProcesses(): void {
  for (const pid of processTree(process.pid).slice(1)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

async function readPort(output: NodeJS.ReadableStream, pattern: RegExp): Promise<string> {
  const lines = createInterface({ input: output });
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const port = pattern.exec(line)?.[1];
      if (port !== undefined) resolve(port);
    });
    lines.on('close', () => reject(new Error('The process exited before it printed its port')));
  });
}

async function waitUntilReady(url: string): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  while (performance.now() < deadline) {
    if ((await fetch(url).catch(() => null))?.ok) return;
    await sleep(5);
  }
  throw new Error(`${url} did not answer in ${startTimeoutMs / 1000} s`);
}

/** Returns the ids of the process and its child processes, which extract texts. */
function processTree(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return [pid, ...children.flatMap(processTree)];
}

/** Returns the processor time of a process in milliseconds, or 0 if the process has exited. */
function readProcessorMilliseconds(pid: number): number {
  try {
    return readCpuMilliseconds(pid);
  } catch {
    return 0;
  }
}

function readMegabytes(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = read(`/proc/${pid}/status`);
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
}

/** Reads a file of a process. Returns '' if the process has exited. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function sum(pids: readonly number[], read: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + read(pid), 0);
}
