import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Thrown when a signal stopped the work. `run.mjs` then exits without a message. */
export class StoppedError extends Error {
  constructor(signal) {
    super(`stopped by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Within this time, a second Ctrl-C is ignored. The terminal sends each Ctrl-C to npm and to this process, and npm
 * sends it again. A person needs longer to press Ctrl-C again.
 */
const duplicateSignalWindowMs = 500;

/**
 * Runs a program until it exits, and forwards the signals of this process to it. The third signal kills the program. If
 * `collect` is set, the output is not shown but returned: `output` contains both streams, `stdout` only one. `onStart`
 * receives the process id.
 * @returns {Promise<{code: number | null, signal: string | null, stoppedBy: string | null, output: string, stdout:
 * string}>}
 */
export function runProgram(command, args, { collect = false, onStart, ...options }) {
  return new Promise((resolve, reject) => {
    const stdio = collect ? ['ignore', 'pipe', 'pipe'] : 'inherit';
    const child = spawn(command, args, { ...options, stdio });
    const output = [];
    const stdout = [];
    child.stdout?.on('data', (part) => {
      output.push(part);
      stdout.push(part);
    });
    child.stderr?.on('data', (part) => output.push(part));
    if (child.pid) onStart?.(child.pid);

    let stoppedBy = null;
    let count = 0;
    let lastAt = 0;
    const forwardSignal = (signal) => {
      const now = Date.now();
      if (signal === stoppedBy && now - lastAt < duplicateSignalWindowMs) return;
      lastAt = now;
      stoppedBy = signal;
      count += 1;
      child.kill(count > 2 ? 'SIGKILL' : signal);
    };
    for (const signal of signals) process.on(signal, forwardSignal);
    const removeListeners = () => {
      for (const signal of signals) process.off(signal, forwardSignal);
    };

    child.once('error', (error) => {
      removeListeners();
      reject(new Error(`cannot run ${command}: ${error.message}`));
    });
    child.once('close', (code, signal) => {
      removeListeners();
      const [all, first] = [output, stdout].map((parts) => Buffer.concat(parts).toString('utf8'));
      resolve({ code, signal, stoppedBy, output: all, stdout: first });
    });
  });
}

/** Returns the exit code as a shell would report it. */
export function exitCodeOf({ code, signal }) {
  return code ?? 128 + (constants.signals[signal] ?? 0);
}
