/** Times of a handoff that its clocks need. */
export interface HandoffTimes {
  readonly requestedAt: string;
  readonly firstReplyAt: string | null;
  readonly firstReplyDueAt: string | null;
  readonly resolvedAt: string | null;
  readonly resolutionDueAt: string | null;
}

/** State of a clock with a target. */
export interface ClockState {
  readonly kind: 'reply' | 'resolution';
  /** `late`: stopped after its due time. */
  readonly state: 'running' | 'near' | 'overdue' | 'late';
  /** Time from now to the due time, or since it. */
  readonly distanceMs: number;
}

/** A clock is near its due time in the last quarter of its time, at most in the last hour. */
const nearShare = 0.25;
const maxNearMs = 3_600_000;

/** Returns the clocks that have a target and did not stop in time, first the one for the reply. */
export function readClocks(handoff: HandoffTimes, now: number): readonly ClockState[] {
  const { requestedAt, firstReplyAt, firstReplyDueAt, resolvedAt, resolutionDueAt } = handoff;
  return [
    { kind: 'reply', dueAt: firstReplyDueAt, stoppedAt: firstReplyAt ?? resolvedAt } as const,
    { kind: 'resolution', dueAt: resolutionDueAt, stoppedAt: resolvedAt } as const,
  ].flatMap(({ kind, dueAt, stoppedAt }): readonly ClockState[] => {
    if (dueAt === null) return [];
    const due = Date.parse(dueAt);
    const distanceMs = Math.abs(due - now);
    if (stoppedAt !== null) {
      return Date.parse(stoppedAt) > due ? [{ kind, state: 'late', distanceMs }] : [];
    }
    const nearMs = Math.min(maxNearMs, nearShare * (due - Date.parse(requestedAt)));
    const state = now > due ? 'overdue' : due - now <= nearMs ? 'near' : 'running';
    return [{ kind, state, distanceMs }];
  });
}
