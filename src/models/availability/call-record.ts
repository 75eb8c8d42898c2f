import type { Metrics, ModelCall, ModelOperation } from '../../platform/metrics.ts';

export type CalledModel = 'CHAT' | 'EMBEDDING' | 'RERANKER';

/** Calls of a model since the start of this process. */
export interface RecentCalls {
  /** Null if no call has succeeded. */
  readonly lastSucceededAt: Date | null;
  /** Null if no call has failed. */
  readonly lastFailedAt: Date | null;
  /** Median duration of the latest 50 successful calls, in milliseconds. Null without one. */
  readonly medianMs: number | null;
}

/** Number of durations that are kept for each model. */
const maxDurations = 50;

const modelOf: Readonly<Record<ModelOperation, CalledModel>> = {
  answer: 'CHAT',
  reply: 'CHAT',
  rewrite: 'CHAT',
  complete: 'CHAT',
  embed: 'EMBEDDING',
  rerank: 'RERANKER',
};

/** Keeps the latest calls of each model in memory. Calls that the service has stopped say nothing and do not count. */
export class CallRecord {
  readonly #calls = new Map<CalledModel, Omit<RecentCalls, 'medianMs'>>();
  readonly #durations = new Map<CalledModel, readonly number[]>();

  record({ operation, outcome, seconds }: Omit<ModelCall, 'model'>, now = new Date()): void {
    if (outcome === 'STOPPED') return;
    const model = modelOf[operation];
    const known = this.of(model);
    if (outcome === 'FAILED') {
      this.#calls.set(model, { ...known, lastFailedAt: now });
      return;
    }
    this.#calls.set(model, { ...known, lastSucceededAt: now });
    // A rewrite takes a fraction of the time of an answer, so only answers count.
    if (model === 'CHAT' && operation !== 'answer') return;
    const durations = this.#durations.get(model) ?? [];
    this.#durations.set(model, [...durations, seconds * 1_000].slice(-maxDurations));
  }

  of(model: CalledModel): RecentCalls {
    const { lastSucceededAt = null, lastFailedAt = null } = this.#calls.get(model) ?? {};
    const sorted = [...(this.#durations.get(model) ?? [])].sort((one, other) => one - other);
    return { lastSucceededAt, lastFailedAt, medianMs: sorted[sorted.length >> 1] ?? null };
  }
}

/** Returns metrics that also record the calls, except those of models that an evaluation run tries. */
export function recordingMetrics(metrics: Metrics, record: CallRecord): Metrics {
  return {
    ...metrics,
    recordModelCall(call) {
      metrics.recordModelCall(call);
      if (call.model !== 'candidate') record.record(call);
    },
  };
}
