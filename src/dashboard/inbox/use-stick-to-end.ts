import { useEffect, useLayoutEffect, useRef } from 'react';

/** A reader this close to the end, in pixels, has not scrolled up. */
const endToleranceInPixels = 48;

/**
 * Keeps the end of the transcript in view: when it opens, with each new message, and when the reply field appears or
 * grows. Does nothing while the operator has scrolled up. On phones the page scrolls and not the container. There it
 * starts when the conversation is the operator's own (`isMine`), because before that the actions at the top come first.
 */
export function useStickToEnd(latestId: string | undefined, isMine: boolean) {
  const containerRef = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const isShown = latestId !== undefined;
  useEffect(() => {
    const container = containerRef.current;
    if (container === null || !isShown) return;
    const onScroll = ({ target }: Event) => {
      // The reply field scrolls, too, while it grows.
      if (target !== container && target !== document) return;
      const { scrollHeight, scrollTop, clientHeight } = scrollerOf(container);
      isAtEnd.current = scrollHeight - scrollTop - clientHeight < endToleranceInPixels;
    };
    const resizes = new ResizeObserver(() => {
      if (isAtEnd.current) scrollToEnd(container, isMine);
    });
    resizes.observe(container);
    // On phones the container keeps its size when the reply field below it grows.
    if (container.parentElement !== null) resizes.observe(container.parentElement);
    document.addEventListener('scroll', onScroll, { capture: true, passive: true });
    return () => {
      resizes.disconnect();
      document.removeEventListener('scroll', onScroll, { capture: true });
    };
  }, [isShown, isMine]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at each new message
  useLayoutEffect(() => {
    if (isAtEnd.current) scrollToEnd(containerRef.current, isMine);
  }, [latestId]);
  useLayoutEffect(() => {
    if (!isMine) return;
    isAtEnd.current = true;
    scrollToEnd(containerRef.current, isMine);
  }, [isMine]);
  return containerRef;
}

function scrollToEnd(container: HTMLElement | null, isMine: boolean): void {
  if (container === null) return;
  const scroller = scrollerOf(container);
  if (scroller === container || isMine) scroller.scrollTop = scroller.scrollHeight;
}

function scrollerOf(container: HTMLElement): Element {
  const isScroller = getComputedStyle(container).overflowY === 'auto';
  return isScroller ? container : (document.scrollingElement ?? container);
}
