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

/**
 * Removes the reasoning at the start of an answer: blocks in tags such as `<think>`, text that has only a closing tag,
 * and the channels of gpt-oss. Later in an answer, such tags are ordinary text.
 *
 * Reasoning without an opening tag can be recognized only when its closing tag arrives. So text is buffered if it
 * starts like typical reasoning, or if an earlier answer of the model had reasoning without an opening tag.
 */
export class ReasoningFilter implements TextFilter {
  /** Whether reasoning without an opening tag was returned as text, because its closing tag had not arrived yet. */
  isReasoningShown = false;
  readonly #style: ReasoningStyle;
  readonly #harmony = createHarmonyFilter();
  #phase: 'start' | 'tagged' | 'unopened' | 'harmony' | 'answer' = 'start';
  #buffer = '';
  #closeTag = '';
  /** Buffered text. It is reasoning if a closing tag follows; otherwise it is the answer. */
  #held: string[] = [];
  #hasReasoning = false;
  /**
   * End of the text that was already searched for a closing tag without an opening tag. A tag may continue in the next
   * text.
   */
  #tail = '';

  constructor(style: ReasoningStyle = { isUnopened: null }) {
    this.#style = style;
  }

  push(text: string): string {
    this.#buffer += text;
    return this.#scan(false);
  }

  flush(): string {
    const rest = this.#scan(true);
    const isPlain = this.#phase === 'answer' && !this.#hasReasoning && !this.isReasoningShown;
    if (this.#phase === 'unopened') this.#style.isUnopened = null;
    else if (isPlain) this.#style.isUnopened = false;
    return this.#held.join('') + rest;
  }

  #scan(isComplete: boolean): string {
    for (;;) {
      if (this.#phase === 'answer') return this.#readAnswer();
      if (this.#phase === 'harmony') {
        return this.#harmony.push(this.#take()) + (isComplete ? this.#harmony.flush() : '');
      }
      const isRead =
        this.#phase === 'start'
          ? this.#readStart(isComplete)
          : this.#phase === 'tagged'
            ? this.#readTagged()
            : this.#readUnopened();
      if (!isRead) return '';
    }
  }

  #take(): string {
    const text = this.#buffer;
    this.#buffer = '';
    return text;
  }

  /** Decides what the answer starts with. Returns false if more text is needed to decide. */
  #readStart(isComplete: boolean): boolean {
    this.#buffer = this.#buffer.trimStart();
    const begin = this.#buffer.toLowerCase();
    const pair = tagPairs.find(([open]) => begin.startsWith(open));
    if (pair) {
      [, this.#closeTag] = pair;
      this.#phase = 'tagged';
    } else if (harmonyStarts.some((token) => begin.startsWith(token))) {
      this.#phase = 'harmony';
    } else if (!isComplete && isPrefixOfAny(begin, starts)) {
      return false;
    } else {
      const isLikely = this.#style.isUnopened === true || isReasoningOpening(begin);
      this.#phase = isLikely && !this.#hasReasoning ? 'unopened' : 'answer';
    }
    return true;
  }

  #readTagged(): boolean {
    const end = this.#buffer.toLowerCase().indexOf(this.#closeTag);
    if (end === -1) this.#buffer = this.#buffer.slice(-this.#closeTag.length);
    else this.#skipReasoning(this.#buffer.slice(end + this.#closeTag.length));
    return end !== -1;
  }

  #readUnopened(): boolean {
    const text = this.#take();
    const rest = this.#findUnopenedEnd(text);
    if (rest === null) {
      this.#held.push(text);
      return false;
    }
    this.#style.isUnopened = true;
    this.#held = [];
    this.#skipReasoning(rest);
    return true;
  }

  #skipReasoning(rest: string): void {
    this.#buffer = rest;
    this.#hasReasoning = true;
    this.#phase = 'start';
  }

  #readAnswer(): string {
    const text = this.#take();
    const mayBeReasoning = this.#style.isUnopened === null && !this.#hasReasoning;
    if (mayBeReasoning && this.#findUnopenedEnd(text) !== null) {
      this.isReasoningShown = true;
      this.#style.isUnopened = true;
    }
    return text;
  }

  /** Returns the text after a closing tag without an opening tag. Returns null if the text contains none. */
  #findUnopenedEnd(text: string): string | null {
    const window = this.#tail + text;
    this.#tail = window.slice(-maxTagLength);
    const match = unopenedEnd.exec(window);
    return match && window.slice(match.index + match[0].length);
  }
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
