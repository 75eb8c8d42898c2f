type Work = (signal: AbortSignal) => Promise<void>;

/**
 * Runs `work` in only one tab of the browser at a time. A tab that becomes visible takes over, because browsers may
 * suspend hidden tabs. `work` must return when its signal aborts: another tab has taken over, or `signal` has aborted.
 * Web Locks require HTTPS or localhost. Without Web Locks, each tab runs `work` while the tab is visible.
 * @throws the errors of `work`.
 */
export function runInLeaderTab(name: string, signal: AbortSignal, work: Work): Promise<void> {
  return 'locks' in navigator ? runUnderLock(name, signal, work) : runWhileVisible(signal, work);
}

async function runUnderLock(name: string, signal: AbortSignal, work: Work): Promise<void> {
  let shouldSteal = isVisible();
  let isLeader = false;
  let lockWait = new AbortController();
  const onVisibilityChange = () => {
    if (!isVisible() || isLeader) return;
    shouldSteal = true;
    lockWait.abort();
  };
  const onAbort = () => lockWait.abort();
  document.addEventListener('visibilitychange', onVisibilityChange);
  signal.addEventListener('abort', onAbort);
  try {
    while (!signal.aborted) {
      lockWait = new AbortController();
      const lockLost = new AbortController();
      const options = shouldSteal ? { steal: true } : { signal: lockWait.signal };
      // Steal the lock only once. Otherwise two visible windows could steal it from each other forever.
      shouldSteal = false;
      try {
        await navigator.locks.request(name, options, () => {
          isLeader = true;
          return work(AbortSignal.any([signal, lockLost.signal]));
        });
      } catch (error) {
        if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
      } finally {
        isLeader = false;
        lockLost.abort();
      }
    }
  } finally {
    document.removeEventListener('visibilitychange', onVisibilityChange);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Runs `work` while the tab is visible. The signal aborts when the tab becomes hidden. */
export async function runWhileVisible(signal: AbortSignal, work: Work): Promise<void> {
  while (!signal.aborted) {
    await waitForVisibility('visible', signal);
    const hidden = new AbortController();
    const visibleSignal = AbortSignal.any([signal, hidden.signal]);
    void waitForVisibility('hidden', visibleSignal).then(() => hidden.abort());
    await work(visibleSignal).finally(() => hidden.abort());
  }
}

function isVisible(): boolean {
  return document.visibilityState === 'visible';
}

function waitForVisibility(state: DocumentVisibilityState, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const onChange = () => {
      if (document.visibilityState !== state && !signal.aborted) return;
      document.removeEventListener('visibilitychange', onChange);
      signal.removeEventListener('abort', onChange);
      resolve();
    };
    document.addEventListener('visibilitychange', onChange);
    signal.addEventListener('abort', onChange);
    onChange();
  });
}
