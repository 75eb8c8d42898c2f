const storageKey = 'grounded-chat-reloaded-at';
const minReloadIntervalMs = 60_000;

/**
 * Reloads the page when a script is missing, for example because the service was updated. Reloads at most once a
 * minute, and only if the service responds. If the service is down, a reload would leave an empty page.
 */
export function reloadWhenOutdated(): void {
  window.addEventListener('vite:preloadError', async () => {
    const last = Number(sessionStorage.getItem(storageKey) ?? 0);
    if (Date.now() - last < minReloadIntervalMs || !(await isServiceReachable())) return;
    sessionStorage.setItem(storageKey, String(Date.now()));
    location.reload();
  });
}

function isServiceReachable(): Promise<boolean> {
  return fetch(location.href, { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  );
}
