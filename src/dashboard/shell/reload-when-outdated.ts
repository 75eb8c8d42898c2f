const key = 'grounded-chat-reloaded-at';
const pauseMs = 60_000;

/**
 * After an update of the service an open page may ask for a script that is no longer there: it is loaded anew, but not
 * over and over.
 */
export function reloadWhenOutdated(): void {
  window.addEventListener('vite:preloadError', () => {
    const last = Number(sessionStorage.getItem(key) ?? 0);
    if (Date.now() - last < pauseMs) return;
    sessionStorage.setItem(key, String(Date.now()));
    location.reload();
  });
}
