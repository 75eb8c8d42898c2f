import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** A signal ended the work; nothing needs to be said about it. */
export class StoppedError extends Error {
  constructor(signal) {
    super(`stopped by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** npm repeats a Ctrl-C that the terminal has already delivered; a person needs longer than this. */
const repeatMs = 500;

/**
 * Runs a program to its end and passes on the signals that reach this process. The third one kills.
 * With `collect` its output is returned instead of shown; `onStart` gets its process id.
 * @returns {Promise<{code: number | null, signal: string | null, stoppedBy: string | null, output: string}>}
 */
export function runProgram(command, args, { collect = false, onStart, ...options }) {
  return new Promise((resolve, reject) => {
    const stdio = collect ? ['ignore', 'pipe', 'pipe'] : 'inherit';
    const child = spawn(command, args, { ...options, stdio });
    const output = [];
    child.stdout?.on('data', (part) => output.push(part));
    child.stderr?.on('data', (part) => output.push(part));
    if (child.pid) onStart?.(child.pid);

    let stoppedBy = null;
    let count = 0;
    let lastAt = 0;
    const passOn = (signal) => {
      const now = Date.now();
      if (signal === stoppedBy && now - lastAt < repeatMs) return;
      lastAt = now;
      stoppedBy = signal;
      count += 1;
      child.kill(count > 2 ? 'SIGKILL' : signal);
    };
    for (const signal of signals) process.on(signal, passOn);
    const end = () => {
      for (const signal of signals) process.off(signal, passOn);
    };

    child.once('error', (error) => {
      end();
      reject(new Error(`cannot run ${command}: ${error.message}`));
    });
    child.once('close', (code, signal) => {
      end();
      resolve({ code, signal, stoppedBy, output: Buffer.concat(output).toString('utf8') });
    });
  });
}

/** The exit code a shell would give. */
export function exitCodeOf({ code, signal }) {
  return code ?? 128 + (constants.signals[signal] ?? 0);
}
