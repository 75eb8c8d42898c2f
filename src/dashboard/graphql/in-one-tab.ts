type Work = (signal: AbortSignal) => Promise<void>;

/**
 * Does `work` in one tab of the browser at a time, that which was looked at last: a hidden tab may be put to sleep.
 * `work` is to end when its signal aborts, because another tab has taken over or `signal` has. What it throws is thrown.
 * Where browsers have no locks, which is on plain http but for localhost, each tab works while it is looked at.
 */
export function inOneTab(name: string, signal: AbortSignal, work: Work): Promise<void> {
  return 'locks' in navigator ? byLock(name, signal, work) : whileVisible(signal, work);
}

async function byLock(name: string, signal: AbortSignal, work: Work): Promise<void> {
  let isToTakeOver = isVisible();
  let isWorking = false;
  let waiting = new AbortController();
  const look = () => {
    if (!isVisible() || isWorking) return;
    isToTakeOver = true;
    waiting.abort();
  };
  const leave = () => waiting.abort();
  document.addEventListener('visibilitychange', look);
  signal.addEventListener('abort', leave);
  try {
    while (!signal.aborted) {
      waiting = new AbortController();
      const lost = new AbortController();
      const options = isToTakeOver ? { steal: true } : { signal: waiting.signal };
      // Two windows side by side must not take it from each other for ever.
      isToTakeOver = false;
      try {
        await navigator.locks.request(name, options, () => {
          isWorking = true;
          return work(AbortSignal.any([signal, lost.signal]));
        });
      } catch (error) {
        if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
      } finally {
        isWorking = false;
        lost.abort();
      }
    }
  } finally {
    document.removeEventListener('visibilitychange', look);
    signal.removeEventListener('abort', leave);
  }
}

/** Does `work` whenever the tab is looked at; its signal aborts when it no longer is. */
export async function whileVisible(signal: AbortSignal, work: Work): Promise<void> {
  while (!signal.aborted) {
    await untilVisibility('visible', signal);
    const hidden = new AbortController();
    const turn = AbortSignal.any([signal, hidden.signal]);
    void untilVisibility('hidden', turn).then(() => hidden.abort());
    await work(turn).finally(() => hidden.abort());
  }
}

function isVisible(): boolean {
  return document.visibilityState === 'visible';
}

function untilVisibility(state: DocumentVisibilityState, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState !== state && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
    look();
  });
}
