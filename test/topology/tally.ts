/** HTTP status of a call, or a description of its failure. */
export type Outcome = number | string;

/** Counts the outcomes of calls, grouped by kind and phase. */
export interface Tally {
  /** Starts a phase. All later calls count in this phase. */
  startPhase(phase: string): void;
  measure(kind: string, call: () => Promise<Outcome>): Promise<void>;
  /** Returns the failures of a phase, with the number of calls for each. */
  failures(phase: string): Readonly<Record<string, number>>;
  /** Number of calls that had no result within the time limit. */
  readonly hangs: number;
  readonly successes: number;
  /** Returns a report for people, as lines. */
  report(): string[];
}

interface Phase {
  readonly name: string;
  readonly startedAt: number;
  endedAt: number;
  successes: number;
  readonly failures: Record<string, number>;
  longestMs: number;
  lastSuccessAt: number;
  longestGapMs: number;
}

export function createTally(): Tally {
  const phases: Phase[] = [];
  let hangs = 0;

  const begin = (name: string): Phase => {
    const now = performance.now();
    const times = { startedAt: now, endedAt: now, lastSuccessAt: now };
    const phase = { name, ...times, successes: 0, failures: {}, longestMs: 0, longestGapMs: 0 };
    phases.push(phase);
    return phase;
  };
  let current = begin('quiet');

  return {
    startPhase(name) {
      current.endedAt = performance.now();
      current = begin(name);
    },
    async measure(kind, call) {
      const startedAt = performance.now();
      const phase = current;
      const outcome = await call().catch((error: Error) => {
        if (error.name === 'TimeoutError') hangs += 1;
        return error.name === 'TimeoutError' ? 'no answer' : 'broken off';
      });
      const now = performance.now();
      phase.longestMs = Math.max(phase.longestMs, now - startedAt);
      if (typeof outcome === 'number' && outcome < 400) {
        phase.successes += 1;
        current.longestGapMs = Math.max(current.longestGapMs, now - current.lastSuccessAt);
        current.lastSuccessAt = now;
      } else {
        const failure = `${kind} ${outcome}`;
        phase.failures[failure] = (phase.failures[failure] ?? 0) + 1;
      }
    },
    failures(name) {
      return phases.find((phase) => phase.name === name)?.failures ?? {};
    },
    get hangs() {
      return hangs;
    },
    get successes() {
      return phases.reduce((sum, { successes }) => sum + successes, 0);
    },
    report: () => phases.map(lineOf),
  };
}

function lineOf({ name, startedAt, endedAt, successes, failures, ...phase }: Phase): string {
  const seconds = ((endedAt - startedAt) / 1_000).toFixed(1);
  const failed = Object.entries(failures).map(([what, count]) => `${count} × ${what}`);
  return [
    name.padEnd(34),
    `${seconds} s`.padStart(7),
    `${successes} good`.padStart(10),
    `longest ${Math.round(phase.longestMs)} ms`.padStart(17),
    `gap ${Math.round(phase.longestGapMs)} ms`.padStart(13),
    `  ${failed.join(', ') || 'no failures'}`,
  ].join(' ');
}
