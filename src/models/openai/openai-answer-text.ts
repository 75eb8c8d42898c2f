import { modelFailure } from '../availability/model-failure.ts';
import type { AnswerPart } from '../models.ts';
import { ReasoningFilter, type ReasoningStyle } from './reasoning-filter.ts';
import { createRefusalFilter } from './refusal-filter.ts';

/** Collects the text of an answer while it is streamed. Removes reasoning and the refusal marker. */
export interface AnswerText {
  /** The text that has been collected so far. */
  readonly written: string;
  readonly isRefused: boolean;
  push(text: string): Generator<AnswerPart>;
  /** Reports that the server marked the answer as a refusal. */
  refuse(): Generator<AnswerPart>;
  flush(): Generator<AnswerPart>;
}

export function createAnswerText(style: ReasoningStyle): AnswerText {
  const reasoning = new ReasoningFilter(style);
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
    *push(text) {
      yield* emit(refusal.push(reasoning.push(text)));
      if (reasoning.isReasoningShown) {
        throw modelFailure('The model sent its reasoning as a part of the answer', {
          retryable: true,
        });
      }
    },
    refuse: () => emit([{ type: 'refusal' }]),
    flush: () => emit([...refusal.push(reasoning.flush()), ...refusal.flush()]),
  };
}
