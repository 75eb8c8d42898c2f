import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { Hit } from '../knowledge/hybrid-search.ts';
import { retrieve } from '../knowledge/retrieve.ts';
import type { Source, TokenUsage, Turn } from '../models/models.ts';
import type { Project } from '../organizations/require-project.ts';
import type { AnswerEvent } from './chat-event.ts';
import { chooseGrounds, maxGrounds } from './choose-grounds.ts';
import { type Citation, citationsOf } from './citations.ts';
import {
  answerConfidence,
  isAnswerable,
  maxUnansweredConfidence,
  retrievalConfidence,
} from './confidence.ts';
import { createAnswerFilter } from './grounding.ts';
import { readHistory } from './history.ts';
import type { OpenTurn } from './open-turn.ts';
import { confidentialTexts } from './prompt.ts';

/** An answer in the making; at any moment it says what is to be stored. */
export interface Draft {
  content: string;
  citations: readonly Citation[];
  confidence: number;
  latencyMs: number;
  model: string | null;
  usage: TokenUsage;
  embeddingTokens: number;
}

export function emptyDraft(): Draft {
  return {
    content: '',
    citations: [],
    confidence: 0,
    latencyMs: 0,
    model: null,
    usage: { inputTokens: 0, outputTokens: 0 },
    embeddingTokens: 0,
  };
}

const defaultFallbackText =
  "I don't know. The available documents do not seem to hold an answer to this question.";

/**
 * Retrieves, generates and grounds an answer, filling `draft` on the way: standalone query → the one
 * retrieval → the grounds chosen of it → sources → the model's text, filtered → quotes and confidence. Where nothing relevant is found,
 * the project's fallback text is the answer and the chat model is not called.
 */
export async function* composeAnswer(
  context: Context,
  input: { readonly project: Project; readonly turn: OpenTurn; readonly question: string },
  draft: Draft,
): AsyncGenerator<AnswerEvent, void, undefined> {
  const { project, turn, question } = input;
  const { models, signal, log } = context;
  const fallbackText = project.fallbackText ?? defaultFallbackText;
  const isFollowUp = turn.position > 2;
  const history = isFollowUp ? await readHistory(context, project.id, turn) : [];
  const query = await standaloneQuery(context, history, question, draft);
  const retrieval = { projectId: project.id, query, limit: maxGrounds };
  const found = await retrieve(context, retrieval);
  draft.embeddingTokens = found.embeddingTokens;
  signal.throwIfAborted();

  draft.confidence = retrievalConfidence(query, found);
  if (!isAnswerable(draft.confidence, found)) {
    draft.confidence = Math.min(draft.confidence, maxUnansweredConfidence);
    yield { type: 'sources', citations: [], confidence: draft.confidence };
    draft.content = fallbackText;
    yield { type: 'delta', text: draft.content };
    return;
  }
  const hits = chooseGrounds(found.hits, models.chat);
  draft.citations = citationsOf(hits, question);
  yield { type: 'sources', citations: draft.citations, confidence: draft.confidence };

  draft.model = models.chat.name;
  const sources = hits.map(sourceOf);
  const { instructions } = project;
  // One that can only quote is told nothing.
  const confidential = models.chat.isExtractive ? [] : confidentialTexts(instructions);
  const filter = createAnswerFilter({ sources, question, confidential, fallbackText });
  const request = { instructions, history, question, sources };
  try {
    for await (const part of models.chat.answer(request, signal)) {
      if (part.type === 'usage') draft.usage = addUsage(draft.usage, part.usage);
      else yield* append(draft, filter.push(part.text));
    }
  } catch (error) {
    // What the filter held back of an answer that is stopped or fails belongs to it.
    yield* append(draft, filter.flush());
    throw error;
  }
  yield* append(draft, filter.flush());
  if (draft.content.trim() === '') {
    throw new DomainError('MODEL_ERROR', 'The model gave no answer', { retryable: true });
  }
  draft.citations = citationsOf(hits, question, draft.content);
  draft.confidence = answerConfidence(query, found, hits, draft.content);
  if (filter.isDisclosed) {
    draft.confidence = Math.min(draft.confidence, maxUnansweredConfidence);
    log.warn(
      { projectId: project.id, messageId: turn.messageId },
      'the model repeated its instructions, so the answer was ended',
    );
  }
}

/** A follow-up is searched by what it means. Without a rewriting it is searched as it stands. */
async function standaloneQuery(
  { models, signal, log }: Context,
  history: readonly Turn[],
  question: string,
  draft: Draft,
): Promise<string> {
  if (history.length === 0) return question;
  try {
    const { query, usage } = await models.chat.rewriteQuestion({ history, question }, signal);
    draft.usage = addUsage(draft.usage, usage);
    return query.trim() === '' ? question : query;
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ err: error }, 'the follow-up could not be rewritten');
    return question;
  }
}

function* append(draft: Draft, text: string): Generator<AnswerEvent> {
  const shown = draft.content === '' ? text.trimStart() : text;
  if (shown === '') return;
  draft.content += shown;
  yield { type: 'delta', text: shown };
}

function sourceOf({ documentName, context, content }: Hit): Source {
  return { documentName, context, content };
}

function addUsage(sum: TokenUsage, more: TokenUsage): TokenUsage {
  return {
    inputTokens: sum.inputTokens + more.inputTokens,
    outputTokens: sum.outputTokens + more.outputTokens,
  };
}
