/**
 * Adds the host element of the widget to the page, beside the body: Turbo, htmx and Astro replace the body, and morphs
 * remove unknown children of it. If a script removes the host, adds it again and gives the focus back.
 *
 * @param onReturn - Called when the host is on the page again. Browsers reset scroll positions in removed elements.
 */
export function keepOnPage(host: HTMLElement, root: ShadowRoot, onReturn: () => void): () => void {
  let focused: Element | null = null;
  let addedAtMs = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const add = () => {
    timer = undefined;
    // `document.open` leaves a document without elements for a moment.
    if (host.isConnected || document.documentElement === null) return;
    document.documentElement.append(host);
    observer.observe(document.documentElement, { childList: true });
  };
  const addAgain = () => {
    addedAtMs = performance.now();
    add();
    onReturn();
    const hasPageFocus =
      document.activeElement !== null && document.activeElement !== document.body;
    if (focused instanceof HTMLElement && !hasPageFocus) focused.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(() => {
    if (host.isConnected || timer !== undefined) return;
    // A page that removes the host each time would otherwise keep the browser in an endless loop.
    const waitMs = addedAtMs + pauseMs - performance.now();
    if (waitMs <= 0) addAgain();
    else timer = setTimeout(addAgain, waitMs);
  });

  root.addEventListener('focusin', ({ target }) => {
    focused = target instanceof Element ? target : null;
  });
  root.addEventListener('focusout', () => {
    // Chromium also fires this event when a script removes the host. Then the focus has to come back.
    queueMicrotask(() => {
      if (host.isConnected && root.activeElement === null) focused = null;
    });
  });
  observer.observe(document, { childList: true });
  add();
  return () => {
    observer.disconnect();
    clearTimeout(timer);
    host.remove();
  };
}

/** Minimum time between two returns to the page. The first one is immediate. */
const pauseMs = 1_000;
