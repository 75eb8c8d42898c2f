import type { AnswerPart } from './models.ts';
import { createReasoningFilter } from './reasoning-filter.ts';
import { createRefusalFilter } from './refusal-filter.ts';

/** The text of an answer while it arrives, without reasoning and without the marker of a refusal. */
export interface AnswerText {
  /** The text so far. */
  readonly written: string;
  readonly isRefused: boolean;
  push(text: string): Generator<AnswerPart>;
  /** Reports that the server marked the answer as a refusal. */
  refuse(): Generator<AnswerPart>;
  flush(): Generator<AnswerPart>;
}

export function createAnswerText(): AnswerText {
  const reasoning = createReasoningFilter();
  const refusal = createRefusalFilter();
  let written = '';
  let isRefused = false;
  function* emit(parts: readonly AnswerPart[]): Generator<AnswerPart> {
    for (const part of parts) {
      if (part.type === 'text') written += part.text;
      if (part.type === 'refusal' && isRefused) continue;
      isRefused ||= part.type === 'refusal';
      yield part;
    }
  }
  return {
    get written() {
      return written;
    },
    get isRefused() {
      return isRefused;
    },
    push: (text) => emit(refusal.push(reasoning.push(text))),
    refuse: () => emit([{ type: 'refusal' }]),
    flush: () => emit([...refusal.push(reasoning.flush()), ...refusal.flush()]),
  };
}
