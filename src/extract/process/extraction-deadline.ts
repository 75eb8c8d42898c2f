import type { ExtractLimits } from '../extract-limits.ts';

/** Time limit for one file. While OCR reads a page, the OCR limits for one page and for all pages apply instead. */
export interface ExtractionDeadline {
  startPage(): void;
  endPage(): void;
  clear(): void;
}

/**
 * Starts the time limit.
 * @param onExpire called with the limit that was exceeded.
 */
export function startDeadline(
  { timeoutMs, ocrPageTimeoutMs, ocrTimeoutMs }: ExtractLimits,
  onExpire: (limitMs: number) => void,
): ExtractionDeadline {
  let leftMs = timeoutMs;
  let ocrLeftMs = ocrTimeoutMs;
  let isPage = false;
  let startedAt = performance.now();
  let timer = setTimeout(() => onExpire(timeoutMs), leftMs);
  /** Returns the time since the previous call, and restarts the clock. */
  const restart = () => {
    const spentMs = performance.now() - startedAt;
    startedAt += spentMs;
    clearTimeout(timer);
    return spentMs;
  };
  return {
    startPage() {
      if (isPage) return;
      isPage = true;
      leftMs -= restart();
      const limitMs = ocrPageTimeoutMs < ocrLeftMs ? ocrPageTimeoutMs : ocrTimeoutMs;
      timer = setTimeout(() => onExpire(limitMs), Math.min(ocrPageTimeoutMs, ocrLeftMs));
    },
    endPage() {
      if (!isPage) return;
      isPage = false;
      ocrLeftMs -= restart();
      timer = setTimeout(() => onExpire(timeoutMs), leftMs);
    },
    clear: () => clearTimeout(timer),
  };
}
