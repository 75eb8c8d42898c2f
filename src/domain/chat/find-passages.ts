import type { HistoryMessage, TokenUsage } from '../../models/models.ts';
import { coreQuestion } from '../../text/core-question.ts';
import type { Context } from '../context.ts';
import type { DocumentFilter } from '../knowledge/filter/document-filter.ts';
import { correctSpelling } from '../knowledge/retrieval/correct-query.ts';
import type { Project } from '../organizations/find-project.ts';
import type { RecordStep } from './answer-draft.ts';
import { type ReadPassages, readPassages } from './read-passages.ts';
import { retrieveQuestion } from './retrieve-question.ts';
import { rewriteQuestion } from './rewrite-question.ts';
import type { StartSlot } from './runs/answer-starts.ts';

/** What an answer is generated from. */
export interface Asked {
  readonly project: Project;
  /** The stored message of the answer, for the log. A draft has none and names its question. */
  readonly turn: { readonly messageId: string };
  readonly question: string;
  readonly history: readonly HistoryMessage[];
  /** Released while a language model rewrites the question, and when nothing is left to do until it answers. */
  readonly start: StartSlot;
  /** The documents to answer from. Null: all. */
  readonly filter: DocumentFilter | null;
}

export interface FoundPassages extends ReadPassages {
  /** The question as it was searched. */
  readonly query: string;
  /** The question with corrected spelling. Null if nothing was corrected. */
  readonly correctedQuestion: string | null;
  /** Tokens of the rewrite. */
  readonly usage: TokenUsage;
}

/**
 * Finds the context of an answer: rewrites a follow-up or translates the question for the search, retrieves, selects
 * the context chunks, and lets a built-in model read them.
 */
export async function findPassages(
  context: Context,
  { project, question, history, start, filter }: Asked,
  record: RecordStep,
): Promise<FoundPassages> {
  const { models, signal } = context;
  const asked = coreQuestion(question);
  const { query: standalone, usage } = await rewriteQuestion(context, {
    ...{ projectId: project.id, history, question: asked, start },
  });
  record({ type: 'progress', usage });

  const found = await retrieveQuestion(context, project.id, { asked, standalone, filter });
  const correctedQuestion = correctSpelling(question, found.corrections);
  record({ type: 'progress', embeddingTokens: found.embeddingTokens, correctedQuestion });
  signal.throwIfAborted();

  const { instructions } = project;
  const passages = { instructions, history, question, retrieved: found };
  const read = await readPassages(models.chat, passages, signal);
  return { ...read, query: found.query, correctedQuestion, usage };
}
