import {
  plainTextStep,
  type ScanState,
  type ScanStep,
  stateAfterInlineText,
  stateAfterText,
} from './scan-state.ts';

/** Maximum number of backticks that are read as one run. Longer runs are split, because no code fence is that long. */
export const maxBackticks = 16;

/** Reads a run of backticks, which may open or close code. Returns null if more text is needed. */
export function scanBackticks(
  buffered: string,
  ticks: string,
  state: ScanState,
  isComplete: boolean,
): ScanStep | null {
  const rest = buffered.slice(ticks.length);
  if (state.isFenced) return readFenceEnd(ticks, rest, state, isComplete);
  if (state.code === 0) return readOpening(ticks, rest, state, isComplete);
  const isClosed = ticks.length === state.code;
  return plainTextStep(ticks, { ...stateAfterInlineText(state), code: isClosed ? 0 : state.code });
}

/** Maximum number of UTF-16 units in which the closing backticks are searched, within the line. */
const maxLookahead = 500;

/**
 * Reads backticks outside of code. They are a code fence, the start of a code span that closes in the same line, or
 * neither.
 */
function readOpening(
  ticks: string,
  rest: string,
  state: ScanState,
  isComplete: boolean,
): ScanStep | null {
  const { length: code } = ticks;
  const [line = ''] = /^[^\n]*/.exec(rest) ?? [];
  const isLineWhole = line.length < rest.length;
  const mayBeFence = code >= 3 && mayOpenFence(state) && !line.includes('`');
  const closing = closingTicks(line, code);
  const isOpen = closing === -1 || closing + code === rest.length || mayBeFence;
  if (isOpen && !isLineWhole && !isComplete && rest.length <= maxLookahead) return null;
  const opened = { ...stateAfterInlineText(state), code };
  if (mayBeFence && isLineWhole) {
    return plainTextStep(ticks, {
      ...opened,
      isFenced: true,
      isCertain: true,
      fenceIndent: state.indent,
    });
  }
  if (closing === -1) {
    const isFenceUnsure = state.isFenceUnsure || code >= 3;
    return plainTextStep(ticks, { ...opened, isCertain: false, hasLoneTicks: true, isFenceUnsure });
  }
  const inside = line.slice(0, closing);
  // In a table, `|` ends the cell. It therefore also ends the code span in the cell.
  const isCell = inside.includes('|') && inside.includes('<');
  return plainTextStep(ticks, {
    ...opened,
    isCertain: !state.hasLoneTicks && !isCell,
  });
}

/** Returns the position of the next run of exactly `count` backticks, or -1. */
function closingTicks(line: string, count: number): number {
  for (const { 0: run, index } of line.matchAll(/`+/g)) if (run.length === count) return index;
  return -1;
}

/**
 * Returns false if the line is indented by more than three columns, because such a line cannot open a fence
 * (CommonMark).
 */
function mayOpenFence({ isBlank, indent, isFenceUnsure }: ScanState): boolean {
  return isBlank && indent <= 3 && !isFenceUnsure;
}

function readFenceEnd(
  ticks: string,
  rest: string,
  state: ScanState,
  isComplete: boolean,
): ScanStep | null {
  const mayEnd = state.isBlank && state.indent <= 3 && ticks.length >= state.code;
  const [, end] = /^[^\S\n]*(\S|\n)?/.exec(rest) ?? [];
  if (mayEnd && end === undefined && !isComplete && rest.length <= maxLookahead) return null;
  const isEnd = mayEnd && (end === '\n' || (end === undefined && isComplete));
  return isEnd
    ? plainTextStep(ticks, { ...stateAfterInlineText(state), code: 0, isFenced: false })
    : plainTextStep(ticks, stateAfterInlineText(state), state.isCertain);
}

/** Reads text inside code. */
export function readCode(buffered: string, state: ScanState): ScanStep {
  const run = codeRun(buffered);
  return plainTextStep(run, stateAfterText(state, run), state.isCertain);
}

/** Returns true if the line is indented less than its fence. Such a line ends the list item that contains the fence. */
export function isOutsideFence(buffered: string, state: ScanState): boolean {
  const next = stateAfterText(state, codeRun(buffered));
  return state.isFenced && !next.isBlank && state.isBlank && next.indent < state.fenceIndent;
}

function codeRun(buffered: string): string {
  const [run = ''] = /^[^\n`]+/u.exec(buffered) ?? [];
  return run;
}
