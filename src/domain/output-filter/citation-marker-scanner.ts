import { readBracket } from './citation-marker-syntax.ts';
import { isOutsideFence, maxBackticks, readCode, scanBackticks } from './code-scanner.ts';
import {
  initialState,
  plainTextStep,
  type ScannedSegment,
  type ScanState,
  type ScanStep,
  stateAfterInlineText,
  stateAfterText,
} from './scan-state.ts';

export interface CitationMarkerScanner {
  push(text: string): ScannedSegment[];
  /** True inside a fenced block that all CommonMark renderers treat as code. */
  readonly isInFencedCode: boolean;
  /** Returns the buffered segments. Call it if something other than text follows in the line, such as a link. */
  interrupt(): ScannedSegment[];
  flush(): ScannedSegment[];
}

/**
 * Creates a streaming scanner that finds citation markers outside of code.
 *
 * Recognizes code spans only up to the end of their line, so that a single backtick without a partner affects at most
 * one line. The scanner buffers an unfinished bracket, an open code span up to the end of its line, a fence line, and
 * spaces that may precede a marker.
 *
 * Code is `certain` if all CommonMark renderers treat it as code in any context. Other code is `likely`: some renderers
 * may execute HTML in it. https://spec.commonmark.org/0.31.2/#code-spans, #fenced-code-blocks
 */
export function createCitationMarkerScanner(): CitationMarkerScanner {
  let buffer = '';
  let state: ScanState = initialState;
  const scan = (isComplete: boolean): ScannedSegment[] => {
    const segments: ScannedSegment[] = [];
    while (buffer !== '') {
      const found = nextSegment(buffer, state, isComplete);
      if (found === null) {
        break;
      }
      segments.push(found.segment);
      buffer = buffer.slice(found.length);
      state = found.state;
    }
    return segments;
  };
  return {
    get isInFencedCode() {
      return state.isFenced && state.isCertain;
    },
    push(text) {
      buffer += text;
      return scan(false);
    },
    interrupt() {
      const segments = scan(true);
      state = stateAfterInlineText(state);
      return segments;
    },
    flush: () => scan(true),
  };
}

function nextSegment(buffered: string, state: ScanState, isComplete: boolean): ScanStep | null {
  const [ticks = ''] = /^`+/.exec(buffered) ?? [];
  if (ticks !== '') {
    const isRunOpen = ticks === buffered && ticks.length < maxBackticks && !isComplete;
    return isRunOpen ? null : scanBackticks(buffered, ticks, state, isComplete);
  }
  if (buffered.startsWith('\n')) {
    const { code, isFenced, isBlank, hasLoneTicks } = state;
    return plainTextStep('\n', {
      ...state,
      code: isFenced ? code : 0,
      isAtLineStart: true,
      isBlank: true,
      indent: 0,
      hasLoneTicks: hasLoneTicks && !isBlank,
    });
  }
  if (state.code > 0) {
    if (!isOutsideFence(buffered, state)) return readCode(buffered, state);
    return nextSegment(
      buffered,
      { ...state, code: 0, isFenced: false, isFenceUnsure: true },
      isComplete,
    );
  }
  if (buffered.startsWith('\\')) {
    const escaped = buffered.slice(0, 2);
    return escaped.length < 2 && !isComplete
      ? null
      : plainTextStep(escaped, stateAfterInlineText(state));
  }
  return proseText(buffered, state, isComplete);
}

function proseText(buffered: string, state: ScanState, isComplete: boolean): ScanStep | null {
  const [spaces = ''] = /^[^\S\n]*/u.exec(buffered) ?? [];
  const rest = buffered.slice(spaces.length);
  if (rest === '') {
    return isComplete || spaces.length > maxSpaces
      ? plainTextStep(spaces, stateAfterText(state, spaces))
      : null;
  }
  if (!/^[[［【]/u.test(rest)) {
    return proseRun(spaces, rest, state, isComplete);
  }
  const bracket = readBracket(rest, isComplete);
  if (bracket === null) {
    return null;
  }
  if (bracket.type === 'other') {
    return plainTextStep(spaces + rest.slice(0, 1), stateAfterInlineText(state));
  }
  const length = spaces.length + bracket.length;
  if (bracket.type === 'number') {
    return {
      ...plainTextStep(`${spaces}(${bracket.digits})`, stateAfterInlineText(state)),
      length,
    };
  }
  const raw = buffered.slice(0, length);
  const { numbers } = bracket;
  const { isAtLineStart } = state;
  const segment = { type: 'marker', numbers, raw, isAtLineStart } as const;
  return { segment, length, state: { ...state, isBlank: false } };
}

function proseRun(
  spaces: string,
  rest: string,
  state: ScanState,
  isComplete: boolean,
): ScanStep | null {
  const [all = ''] = /^[^\s[［【`\\]*/u.exec(rest) ?? [];
  if (all === '') return plainTextStep(spaces, stateAfterText(state, spaces));
  // Keep tildes at the end in the buffer, because three tildes open a code fence.
  const isOpen = all.length === rest.length && !isComplete;
  const run = isOpen ? all.replace(/(?<!~)~{1,2}$/, '') : all;
  if (run === '') return null;
  return plainTextStep(spaces + run, {
    ...stateAfterInlineText(state),
    isFenceUnsure: state.isFenceUnsure || run.includes('~~~'),
  });
}

const maxSpaces = 16;
