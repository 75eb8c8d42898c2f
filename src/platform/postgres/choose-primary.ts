import type { HostAnswer } from './probe-host.ts';

/** A host that accepts writes. */
export type Primary = HostAnswer & { readonly timeline: number };

export interface PrimaryChoice {
  readonly primary: Primary;
  /** A message for operators if hosts of different timelines accept writes. Otherwise null. */
  readonly conflict: string | null;
}

/**
 * Chooses the host that accepts writes. If several do, takes the one on the latest timeline, because a primary that was
 * replaced keeps its timeline. On the same timeline they lead to the same server, and the first one is taken.
 * @param knownTimeline the latest timeline seen. A host on an earlier one was replaced and is never chosen.
 * @throws NoPrimaryError if no host can be used
 */
export function choosePrimary(
  answers: readonly HostAnswer[],
  knownTimeline: number,
): PrimaryChoice {
  const writable = answers.filter(isWritable);
  const [primary] = writable
    .filter((host) => isCurrent(host, knownTimeline))
    .sort((one, other) => other.timeline - one.timeline);
  if (primary === undefined) throw new NoPrimaryError(answers);
  const replaced = writable
    .filter((host) => !isCurrent(host, primary.timeline))
    .map(nameWithTimeline);
  const conflict =
    replaced.length === 0
      ? null
      : `several database hosts accept writes: using ${nameWithTimeline(primary)}, not ${replaced.join(', ')}`;
  return { primary, conflict };
}

/** Whether the host accepts writes and was not replaced by a host on `knownTimeline`. */
export function isCurrent({ timeline }: HostAnswer, knownTimeline: number): boolean {
  return timeline === 0 || (timeline !== null && timeline >= knownTimeline);
}

function isWritable(answer: HostAnswer): answer is Primary {
  return answer.timeline !== null;
}

function nameWithTimeline({ name, timeline }: Primary): string {
  return `${name} on timeline ${timeline}`;
}

/** No host of the database accepts writes. The message names the hosts and their problems. */
class NoPrimaryError extends Error {
  /** The code of the hosts' errors if they have the same one. Otherwise the SQLSTATE for a failed connection. */
  readonly code: string;

  constructor(answers: readonly HostAnswer[]) {
    const problems = answers.map(
      ({ name, problem }) =>
        `${name}: ${problem ?? 'it was replaced by a host of a later timeline'}`,
    );
    super(`no host of the database accepts writes (${problems.join('; ')})`);
    this.name = 'NoPrimaryError';
    const codes = new Set(answers.map(({ code }) => code));
    const [code] = codes;
    if (codes.has(outOfConnections)) this.code = outOfConnections;
    else this.code = codes.size === 1 && code ? code : '08001';
  }
}

/** The host may be the primary. Callers with this SQLSTATE wait for a connection. */
const outOfConnections = '53300';
