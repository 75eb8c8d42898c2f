import type { TextFilter } from '../../text/text-filter.ts';
import { createHarmonyFilter, harmonyStarts } from './harmony-filter.ts';

/** Style of reasoning that earlier answers of a model had. All filters of one model share this object. */
export interface ReasoningStyle {
  /**
   * Whether answers start with reasoning that has a closing tag but no opening tag. This happens if the opening tag is
   * in the server's prompt template. Null if unknown.
   */
  isUnopened: boolean | null;
}

export interface ReasoningFilter extends TextFilter {
  /** Whether reasoning without an opening tag was returned as text, because its closing tag had not arrived yet. */
  readonly isReasoningShown: boolean;
}

/**
 * Creates a filter that removes the reasoning at the start of an answer: blocks in tags such as `<think>`, text that
 * has only a closing tag, and the channels of gpt-oss. Later in an answer, such tags are ordinary text.
 *
 * Reasoning without an opening tag can be recognized only when its closing tag arrives. So text is buffered if it
 * starts like typical reasoning, or if an earlier answer of the model had reasoning without an opening tag.
 */
export function createReasoningFilter(
  style: ReasoningStyle = { isUnopened: null },
): ReasoningFilter {
  const harmony = createHarmonyFilter();
  let phase: 'start' | 'tagged' | 'unopened' | 'harmony' | 'answer' = 'start';
  let buffer = '';
  let closeTag = '';
  /** Buffered text. It is reasoning if a closing tag follows; otherwise it is the answer. */
  let held: string[] = [];
  let hasReasoning = false;
  let isReasoningShown = false;
  /**
   * End of the text that was already searched for a closing tag without an opening tag. A tag may continue in the next
   * text.
   */
  let tail = '';

  const take = (): string => {
    const text = buffer;
    buffer = '';
    return text;
  };
  const skipReasoning = (rest: string) => {
    buffer = rest;
    hasReasoning = true;
    phase = 'start';
  };
  /**
   * If the text contains a closing tag without an opening tag, returns the text after the tag. Returns null otherwise.
   */
  const findUnopenedEnd = (text: string): string | null => {
    const window = tail + text;
    tail = window.slice(-maxTagLength);
    const match = unopenedEnd.exec(window);
    return match && window.slice(match.index + match[0].length);
  };
  /** Decides what the answer starts with. Returns false if more text is needed to decide. */
  const readStart = (isComplete: boolean): boolean => {
    buffer = buffer.trimStart();
    const begin = buffer.toLowerCase();
    const pair = tagPairs.find(([open]) => begin.startsWith(open));
    if (pair) {
      [, closeTag] = pair;
      phase = 'tagged';
    } else if (harmonyStarts.some((token) => begin.startsWith(token))) {
      phase = 'harmony';
    } else if (!isComplete && isPrefixOfAny(begin, starts)) {
      return false;
    } else {
      const isLikely = style.isUnopened === true || isReasoningOpening(begin);
      phase = isLikely && !hasReasoning ? 'unopened' : 'answer';
    }
    return true;
  };
  const readTagged = (): boolean => {
    const end = buffer.toLowerCase().indexOf(closeTag);
    if (end === -1) buffer = buffer.slice(-closeTag.length);
    else skipReasoning(buffer.slice(end + closeTag.length));
    return end !== -1;
  };
  const readUnopened = (): boolean => {
    const text = take();
    const rest = findUnopenedEnd(text);
    if (rest === null) {
      held.push(text);
      return false;
    }
    style.isUnopened = true;
    held = [];
    skipReasoning(rest);
    return true;
  };
  const readAnswer = (): string => {
    const text = take();
    if (style.isUnopened === null && !hasReasoning && findUnopenedEnd(text) !== null) {
      isReasoningShown = true;
      style.isUnopened = true;
    }
    return text;
  };
  const scan = (isComplete: boolean): string => {
    for (;;) {
      if (phase === 'answer') return readAnswer();
      if (phase === 'harmony') return harmony.push(take()) + (isComplete ? harmony.flush() : '');
      const isRead =
        phase === 'start'
          ? readStart(isComplete)
          : phase === 'tagged'
            ? readTagged()
            : readUnopened();
      if (!isRead) return '';
    }
  };
  return {
    get isReasoningShown() {
      return isReasoningShown;
    },
    push(text) {
      buffer += text;
      return scan(false);
    },
    flush() {
      const rest = scan(true);
      if (phase === 'unopened') style.isUnopened = null;
      else if (phase === 'answer' && !hasReasoning && !isReasoningShown) style.isUnopened = false;
      return held.join('') + rest;
    },
  };
}

/** Opening and closing tags, in lower case. */
const tagPairs = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  ['<seed:think>', '</seed:think>'],
  ['[think]', '[/think]'],
  ['<|start_thinking|>', '<|end_thinking|>'],
] as const;

const maxTagLength = 20;
/**
 * Matches closing tags without an opening tag. Also matches the start of the final channel of gpt-oss, in the form that
 * remains if the server removes the special tokens.
 */
const unopenedEnd = /<\/(?:think|thinking|thought|reasoning)>|\[\/THINK\]|assistantfinal/;

/** Phrases with which reasoning models start to think, in lower case. */
const reasoningOpenings = [
  ...['okay, ', 'okay. ', 'ok, ', 'alright, ', 'hmm', 'let me ', "let's ", 'wait, ', 'analysis'],
  ...['we need to ', 'we are asked ', 'the user is ', 'the user ask', 'the user want', 'user ask'],
  ...['first, i ', 'i need to ', 'thinking process', "here's a thinking", 'so the user '],
  ...['好的，', '嗯，', '首先，', '用户'],
];

const starts = [...tagPairs.map(([open]) => open), ...harmonyStarts, ...reasoningOpenings];

function isPrefixOfAny(begin: string, words: readonly string[]): boolean {
  return words.some((word) => word.length > begin.length && word.startsWith(begin));
}

function isReasoningOpening(begin: string): boolean {
  return reasoningOpenings.some((opening) => begin.startsWith(opening));
}
