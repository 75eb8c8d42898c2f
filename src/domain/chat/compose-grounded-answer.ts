import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HistoryMessage, TokenUsage } from '../../models/models.ts';
import { confidentialTexts } from '../../models/prompt.ts';
import { DomainError } from '../../platform/errors.ts';
import { coreQuestion } from '../../text/core-question.ts';
import type { Context } from '../context.ts';
import type { DocumentFilter } from '../knowledge/filter/document-filter.ts';
import { correctSpelling } from '../knowledge/retrieval/correct-query.ts';
import type { Project } from '../organizations/require-project.ts';
import type { AnswerDraft } from './answer-draft.ts';
import type { AnswerEvent } from './chat-event.ts';
import { assessAnswer } from './evidence/assess-answer.ts';
import { citationsOf } from './evidence/citations.ts';
import {
  isConfidenceDecisive,
  isModelAsked,
  type MeasuredConfidence,
  maxFallbackConfidence,
  measureConfidence,
} from './evidence/confidence.ts';
import type { InsertedTurn } from './insert-turn.ts';
import { builtInFallbackText } from './intents/built-in-replies.ts';
import { createOutputFilter } from './output-filter/output-filter.ts';
import { readAhead } from './read-ahead.ts';
import { readPassages } from './read-passages.ts';
import { retrieveQuestion } from './retrieve-question.ts';
import { rewriteQuestion } from './rewrite-question.ts';
import type { StartSlot } from './runs/answer-starts.ts';

/** What an answer is generated from. */
export interface Asked {
  readonly project: Project;
  /** The stored message of the answer, for the log. A draft has none and names its question. */
  readonly turn: Pick<InsertedTurn, 'messageId'>;
  readonly question: string;
  /** Released when the chat model works and nothing is left to do until it answers. */
  readonly start: StartSlot;
  readonly history: readonly HistoryMessage[];
  /** The documents to answer from. Null: all. */
  readonly filter: DocumentFilter | null;
}

/**
 * Retrieves context chunks, generates the answer from them and emits its events. Updates `draft` after each step. The
 * context has the project's model (`withProjectModel`). Stores nothing.
 *
 * Steps: rewrite a follow-up or translate the question for the search, retrieve, select context chunks, let a built-in
 * model read them, emit `sources`, stream the model's text through the output filter, then add the cited chunks, quotes
 * and the final confidence. If retrieval finds nothing relevant, or the confidence is below the threshold, the answer
 * is the project's fallback text and the chat model is not called. If the model refuses, the answer has no citations.
 */
export async function* composeGroundedAnswer(
  context: Context,
  input: Asked,
  draft: AnswerDraft,
): AsyncGenerator<AnswerEvent, void, undefined> {
  const { project, turn, question, history, start } = input;
  const { models, signal, log } = context;
  const fallbackText = project.fallbackText ?? builtInFallbackText(question, history);
  const asked = coreQuestion(question);
  const { query: standalone, usage: rewriteUsage } = await rewriteQuestion(context, {
    projectId: project.id,
    history,
    question: asked,
    start,
  });
  draft.usage = addUsage(draft.usage, rewriteUsage);
  const found = await retrieveQuestion(context, project.id, {
    asked,
    standalone,
    filter: input.filter,
  });
  const { query } = found;
  draft.embeddingTokens = found.embeddingTokens;
  const correctedQuestion = correctSpelling(question, found.corrections);
  draft.correctedQuestion = correctedQuestion;
  signal.throwIfAborted();
  const { instructions } = project;
  const passages = { instructions, history, question, retrieved: found };
  const read = await readPassages(models.chat, passages, signal);
  const { retrieved, request, contextChunks: hits } = read;

  const measure = (): MeasuredConfidence => {
    const measured = measureConfidence(query, retrieved);
    draft.confidence = measured.beforeAnswer;
    draft.retrievalConfidence = draft.confidence;
    return measured;
  };
  const rule = { ...project, model: models.chat };
  const decisive = isConfidenceDecisive(rule) ? measure() : null;
  if (!isModelAsked(rule, decisive?.beforeAnswer ?? 0, retrieved)) {
    if (decisive === null) measure();
    draft.confidence = Math.min(draft.confidence, maxFallbackConfidence);
    yield { type: 'sources', citations: [], confidence: draft.confidence, correctedQuestion };
    draft.content = fallbackText;
    yield { type: 'delta', text: draft.content };
    return;
  }
  draft.model = models.chat.name;
  const { sources } = request;
  draft.sources = sources;
  const parts = readAhead(models.chat.answer(request, signal));
  // Lets the request leave before the processor is busy.
  if (decisive === null) await nextTurn();
  const measured = decisive ?? measure();
  const grounds = citationsOf(hits, question);
  start[Symbol.dispose]();
  yield {
    type: 'sources',
    citations: grounds,
    confidence: draft.confidence,
    correctedQuestion,
  };

  // An extractive model does not receive the instructions, so it cannot leak them.
  const confidential = models.chat.isExtractive ? [] : confidentialTexts(instructions);
  const filter = createOutputFilter({ sources, question, confidential, fallbackText });
  let lead = '';
  const assess = () =>
    assessAnswer({
      ...{ question, measured, content: draft.content.slice(lead.length) },
      ...{ contextChunks: hits, citedChunks: filter.citedSources },
      isExtractive: models.chat.isExtractive === true,
    });
  const { usage: rewritten } = draft;
  let isRefused = false;
  try {
    for await (const part of parts) {
      if (part.type === 'usage') draft.usage = addUsage(rewritten, part.usage);
      else if (part.type === 'text') {
        if (part.isLead) lead += part.text;
        const shown = append(draft, part.isLead ? part.text : filter.push(part.text));
        if (shown !== null) yield shown;
      } else if (part.type === 'finish') draft.finishReason = part.reason;
      else {
        isRefused = true;
        if (draft.content === '') filter.removeMarkers();
      }
    }
  } catch (error) {
    // If generation stops or fails, the text still buffered in the filter is part of the partial answer.
    yield* appendText(draft, filter.flush());
    draft.citations = assess().citations;
    throw error;
  }
  yield* appendText(draft, filter.flush());
  // A model that cites a source has answered a part of the question.
  if (isRefused && filter.citedSources.length === 0) {
    draft.finishReason = 'REFUSAL';
    draft.confidence = Math.min(draft.confidence, maxFallbackConfidence);
    if (draft.content.trim() === '') yield* appendText(draft, fallbackText);
    return;
  }
  if (draft.content.trim() === '') {
    throw new DomainError('MODEL_ERROR', 'The model returned an empty answer. Try again', {
      retryable: true,
    });
  }
  if (draft.finishReason === 'LENGTH') {
    log.warn(
      { projectId: project.id, messageId: turn.messageId },
      'the model reached its output limit: answer cut off',
    );
  }
  const { citations, confidence } = assess();
  draft.citations = citations;
  draft.confidence = confidence;
  if (filter.isPromptLeaked) {
    draft.confidence = Math.min(draft.confidence, maxFallbackConfidence);
    log.warn(
      { projectId: project.id, messageId: turn.messageId },
      'the model repeated its instructions: answer truncated',
    );
  }
}

function* appendText(draft: AnswerDraft, text: string): Generator<AnswerEvent> {
  const shown = append(draft, text);
  if (shown !== null) yield shown;
}

/** Adds text to the draft. Returns the event that shows it, or null if there is nothing to show. */
function append(draft: AnswerDraft, text: string): AnswerEvent | null {
  const shown = draft.content === '' ? text.trimStart() : text;
  if (shown === '') return null;
  draft.content += shown;
  return { type: 'delta', text: shown };
}

function addUsage(sum: TokenUsage, more: TokenUsage): TokenUsage {
  return {
    inputTokens: sum.inputTokens + more.inputTokens,
    outputTokens: sum.outputTokens + more.outputTokens,
  };
}
