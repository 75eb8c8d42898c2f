import type { Citation } from '../../conversations/citation.ts';
import type { Hit } from '../../knowledge/retrieval/hybrid-search.ts';
import { maxFallbackConfidence } from './answer-rule.ts';
import { answerSupport } from './answer-support.ts';
import { attributeAnswer } from './attribute-answer.ts';
import { citationsOf } from './citations.ts';
import {
  citedSources,
  citedStatements,
  quotedStatements,
  type Statement,
} from './cited-statements.ts';
import type { MeasuredConfidence } from './confidence.ts';

/** Citations of a generated answer, and the confidence in the answer. */
export interface Assessment {
  /** The marker `[n]` in the answer refers to the n-th citation. */
  readonly citations: readonly Citation[];
  readonly confidence: number;
}

/**
 * Returns the citations of a generated answer and the confidence in it.
 *
 * Citations are the chunks that the answer cites. If the answer cites no chunks, citations are the chunks that support
 * its sentences. If no chunk supports a sentence, there are no citations and the confidence is at most
 * `maxFallbackConfidence`.
 */
export function assessAnswer(input: {
  readonly question: string;
  readonly content: string;
  readonly measured: MeasuredConfidence;
  readonly contextChunks: readonly Hit[];
  /** Positions of the context chunks that the markers in `content` cite, from 1. */
  readonly citedChunks: readonly number[];
  /** Whether the answer consists of verbatim quotes. */
  readonly isExtractive: boolean;
}): Assessment {
  const { question, content, measured, contextChunks } = input;
  const markers = citedSources(content);
  const hasMarkers = markers.length > 0;
  const { chunks, statements } = hasMarkers
    ? {
        chunks: input.citedChunks.slice(0, Math.max(...markers)),
        statements: input.isExtractive ? quotedStatements(content) : citedStatements(content),
      }
    : attribution(content, contextChunks);
  const hits = chunks.flatMap((number) => contextChunks[number - 1] ?? []);
  const confidence = measured.withSupport(answerSupport(content, hits, statements));
  return {
    citations: citationsOf(hits, question, statements),
    confidence: hits.length === 0 ? Math.min(confidence, maxFallbackConfidence) : confidence,
  };
}

/**
 * Finds the sources of an answer without markers. The `sources` of each statement are positions in `chunks`, from 1.
 */
function attribution(content: string, contextChunks: readonly Hit[]) {
  const attributed = attributeAnswer(content, contextChunks);
  const chunks = [...new Set(attributed.flatMap(({ sources }) => sources))].sort((a, b) => a - b);
  const statements = attributed.map(
    ({ text, sources }): Statement => ({
      text,
      sources: sources.map((number) => chunks.indexOf(number) + 1),
    }),
  );
  return { chunks, statements };
}
