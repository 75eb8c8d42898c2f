import { useEffect, useRef } from 'react';

/** Calls `reload` every `intervalMs` while the page is visible. If `intervalMs` is null, does nothing. */
export function usePolling(reload: () => void, intervalMs: number | null): void {
  const reloadRef = useRef(reload);
  useEffect(() => {
    reloadRef.current = reload;
  });
  useEffect(() => {
    if (intervalMs === null) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reloadRef.current();
    }, intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
}
