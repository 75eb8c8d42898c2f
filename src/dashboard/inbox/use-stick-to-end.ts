import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** If the reader is this close to the end, in pixels, the transcript counts as not scrolled up. */
const endToleranceInPixels = 48;

interface EndOfTranscript {
  readonly containerRef: RefObject<HTMLDivElement | null>;
  /** Number of messages that arrived since the operator scrolled up. */
  readonly newCount: number;
  showEnd(): void;
}

/**
 * Keeps the end of the transcript in view: when the transcript opens, when a message, note or event is added, and when
 * the reply field appears or grows. Does nothing while the operator has scrolled up. On phones, the page scrolls
 * instead of the container. There, this starts only when the operator owns the conversation (`isMine`), because before
 * that the actions at the top are more important.
 * @param messageIds the loaded messages, oldest first.
 * @param latestAdditionIds changes with each note and event, and with the state of a pending reply.
 */
export function useStickToEnd(
  messageIds: readonly string[],
  latestAdditionIds: string,
  isMine: boolean,
): EndOfTranscript {
  const containerRef = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const latestId = messageIds.at(-1);
  const latest = useRef(latestId);
  latest.current = latestId;
  /** The latest message at the time when the operator scrolled up. Null while the end is in view. */
  const [lastSeenId, setLastSeenId] = useState<string | null>(null);
  const isShown = latestId !== undefined;
  useEffect(() => {
    const container = containerRef.current;
    if (container === null || !isShown) return;
    let lastTop = scrollerOf(container).scrollTop;
    const onScroll = ({ target }: Event) => {
      // The reply field also scrolls while it grows. Ignore that.
      if (target !== container && target !== document) return;
      const { scrollHeight, scrollTop, clientHeight } = scrollerOf(container);
      const isEnd = scrollHeight - scrollTop - clientHeight < endToleranceInPixels;
      // A smaller `scrollTop` means that the operator has scrolled up. A container that only became smaller is not at
      // its end, either.
      const isScrolledUp = !isEnd && scrollTop < lastTop;
      lastTop = scrollTop;
      if (!isEnd && !isScrolledUp) return;
      if (isAtEnd.current !== isEnd) setLastSeenId(isEnd ? null : (latest.current ?? null));
      isAtEnd.current = isEnd;
    };
    const resizes = new ResizeObserver(() => {
      if (isAtEnd.current) scrollToEnd(container, isMine);
    });
    resizes.observe(container);
    // On phones, the container keeps its size when the reply field below it grows. So observe the parent, too.
    if (container.parentElement !== null) resizes.observe(container.parentElement);
    document.addEventListener('scroll', onScroll, { capture: true, passive: true });
    return () => {
      resizes.disconnect();
      document.removeEventListener('scroll', onScroll, { capture: true });
    };
  }, [isShown, isMine]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at each new message, note and event
  useLayoutEffect(() => {
    if (isAtEnd.current) scrollToEnd(containerRef.current, isMine);
  }, [latestId, latestAdditionIds]);
  const showEnd = () => {
    isAtEnd.current = true;
    setLastSeenId(null);
    scrollToEnd(containerRef.current, isMine);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the operator becomes the owner
  useLayoutEffect(() => {
    if (isMine) showEnd();
  }, [isMine]);
  const seen = lastSeenId === null ? -1 : messageIds.lastIndexOf(lastSeenId);
  return { containerRef, newCount: seen < 0 ? 0 : messageIds.length - 1 - seen, showEnd };
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
