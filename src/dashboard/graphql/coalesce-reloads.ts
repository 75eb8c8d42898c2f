import { useSyncExternalStore } from 'react';
import type { CombinedError } from 'urql';

/** A function that reloads data. */
export interface Reload {
  (): void;
  /** Cancels the planned repetitions. */
  stop(): void;
}

const firstRetryDelayMs = 1_000;
const maxRetryDelayMs = 30_000;

/**
 * Returns a function that runs `load`. If it is called during a run, one more run follows: the response of the current
 * run may be older than the change that caused the call. Runs never overlap, because urql merges identical queries that
 * run at the same time. If a run returns a temporary error, it is repeated with exponential backoff.
 */
export function coalesceReloads(load: () => Promise<CombinedError | undefined>): Reload {
  let isRunning = false;
  let isQueued = false;
  let failures = 0;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  const key = {};
  const reload = async () => {
    isQueued = true;
    if (isRunning) return;
    isRunning = true;
    clearTimeout(retryTimer);
    try {
      while (isQueued) {
        isQueued = false;
        const error = await load();
        failures = error !== undefined && isTemporary(error) ? failures + 1 : 0;
      }
    } finally {
      isRunning = false;
    }
    setFailing(key, failures > 0);
    if (failures === 0) return;
    const delayMs = Math.min(maxRetryDelayMs, firstRetryDelayMs * 2 ** (failures - 1));
    retryTimer = setTimeout(reload, delayMs * (0.5 + Math.random() / 2));
  };
  const stop = () => {
    clearTimeout(retryTimer);
    failures = 0;
    setFailing(key, false);
  };
  return Object.assign(() => void reload(), { stop });
}

/** Errors of the network and of proxies, and errors that the service marks as temporary. */
export function isTemporary({ graphQLErrors }: CombinedError): boolean {
  return graphQLErrors.every(({ extensions }) => temporaryCodes.has(extensions.code));
}

const temporaryCodes = new Set<unknown>(['INTERNAL', 'UNAVAILABLE', 'RATE_LIMITED']);

/** The reloads that failed and will run again. */
const failing = new Set<object>();
const listeners = new Set<() => void>();

function setFailing(key: object, isFailing: boolean): void {
  if (failing.has(key) === isFailing) return;
  isFailing ? failing.add(key) : failing.delete(key);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the page may show outdated data, because a reload failed and will run again. */
export function useHasFailedReload(): boolean {
  return useSyncExternalStore(subscribe, () => failing.size > 0);
}
