const key = 'grounded-chat-reloaded-at';
const pauseMs = 60_000;

/**
 * After an update of the service an open page may ask for a script that is no longer there: it is loaded anew, but not
 * over and over, and not while the service does not answer, as nothing would be left of it then.
 */
export function reloadWhenOutdated(): void {
  window.addEventListener('vite:preloadError', async () => {
    const last = Number(sessionStorage.getItem(key) ?? 0);
    if (Date.now() - last < pauseMs || !(await answers())) return;
    sessionStorage.setItem(key, String(Date.now()));
    location.reload();
  });
}

function answers(): Promise<boolean> {
  return fetch(location.href, { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  );
}
