/** The times of a handoff from which its clocks are computed. */
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
  /** `late`: the clock stopped after its due time. */
  readonly state: 'running' | 'near' | 'overdue' | 'late';
  /** Time between now and the due time. Positive before and after the due time. */
  readonly distanceMs: number;
}

/**
 * A clock is near its due time in the last quarter of its total time, but not earlier than one hour before the due
 * time.
 */
const nearShare = 0.25;
const maxNearMs = 3_600_000;

/** Returns the clocks that have a target, except those that stopped in time. The clock for the reply comes first. */
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
