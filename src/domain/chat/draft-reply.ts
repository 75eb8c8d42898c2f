import { DomainError } from '../../platform/errors.ts';
import type { MessageRole } from '../../platform/postgres/generated/prisma/enums.ts';
import { detectIntent } from '../../text/intents/detect-intent.ts';
import { contentTerms, isNumber } from '../../text/terms.ts';
import { tenantOf } from '../caller-tenant.ts';
import type { Context } from '../context.ts';
import type { Citation } from '../conversations/citation.ts';
import type { HandoffTarget } from '../handoff/require-handoff-access.ts';
import type { Project } from '../organizations/find-project.ts';
import { requireProjectResource } from '../organizations/require-project-resource.ts';
import { withoutMarkers } from '../output-filter/without-markers.ts';
import { consumeCostlyLimit } from '../usage/costly-limit.ts';
import { countTokens } from '../usage/count-tokens.ts';
import { type AnswerDraft, createAnswerDraft, tokensOf } from './answer-draft.ts';
import { composeGroundedAnswer } from './compose-grounded-answer.ts';
import { readHistory } from './conversation-history.ts';
import { languageOfHistory } from './intents/built-in-replies.ts';
import { withProjectModel } from './project-model.ts';
import { runNewest } from './run-newest.ts';
import { inAnswerSpan } from './traces/answer-span.ts';
import { createAnswerTrace } from './traces/create-answer-trace.ts';
import type { Traced } from './traces/find-unstored-trace.ts';
import { withTrace } from './traces/trace-models.ts';

/** A reply that an agent may edit and send. It is not stored. */
export interface ReplyDraft extends Traced {
  /** The end user's message that the draft answers. */
  readonly messageId: string;
  /** The answer with citation markers. Null if the documents do not answer the message. */
  readonly content: string | null;
  /** The answer without citation markers, for the reply. */
  readonly text: string | null;
  readonly citations: readonly Citation[];
  /** Confidence in the draft, 0 to 1. */
  readonly confidence: number;
}

/** Maximum time for a draft, including the wait for its start. */
const draftTimeoutMs = 60_000;

/**
 * Drafts a reply to the end user's latest question since the last reply of an agent. Writes it as the assistant would:
 * with the history of the conversation and the project's documents, model and threshold. Small talk is not a question,
 * and neither are one or two words that follow a reply of an agent. Returns null if there is no question.
 *
 * Stores no message and consumes none of the monthly allowance. Counts the tokens, also if the draft is cancelled. If
 * the same caller requests a newer draft for the same conversation, the earlier draft is cancelled.
 *
 * @throws DomainError from `requireProjectResource`, `consumeCostlyLimit`, `runNewest` and `AnswerStarts.admit`.
 * @throws DomainError CONFLICT when no agent owns the conversation.
 */
export async function draftReply(
  context: Context,
  { handoffId: id, projectId }: Pick<HandoffTarget, 'handoffId' | 'projectId'>,
): Promise<ReplyDraft | null> {
  const target = { what: 'Handoff', id, projectId: projectId ?? null };
  const { resource: handoff, project } = await requireProjectResource(
    context,
    'handoffs:work',
    target,
    (id) =>
      context.db.handoff.findUnique({
        where: { id },
        select: { projectId: true, conversationId: true, status: true },
      }),
  );
  if (handoff.status !== 'CLAIMED') {
    throw new DomainError('CONFLICT', 'No agent owns the conversation: claim its handoff first');
  }
  await consumeCostlyLimit(context, 'drafts');
  const { conversationId } = handoff;
  const key = `${tenantOf(context.caller)} ${conversationId}`;
  return runNewest(context, { key, timeoutMs: draftTimeoutMs }, async (context) => {
    const question = await findOpenQuestion(context, project.id, conversationId);
    return question === null ? null : answerQuestion(context, project, question);
  });
}

interface OpenQuestion {
  readonly id: string;
  readonly conversationId: string;
  readonly position: number;
  readonly role: MessageRole;
  readonly content: string;
}

/** Number of latest messages in which the question is searched. */
const maxSearchedMessages = 30;

/** Returns the end user's latest message since the last reply of an agent. Skips small talk. */
async function findOpenQuestion(
  { db }: Context,
  projectId: string,
  conversationId: string,
): Promise<OpenQuestion | null> {
  const latest = await db.message.findMany({
    where: { projectId, conversationId, role: { in: ['USER', 'AGENT'] } },
    orderBy: { position: 'desc' },
    take: maxSearchedMessages,
    select: { id: true, conversationId: true, position: true, role: true, content: true },
  });
  const replyIndex = latest.findIndex(({ role }) => role === 'AGENT');
  const open = replyIndex < 0 ? latest : latest.slice(0, replyIndex);
  const language = languageOfHistory(
    open.map(({ content }) => ({ role: 'USER' as const, content })).reverse(),
  );
  const isAnswer = replyIndex < 0 ? () => false : isShortStatement;
  const isQuestion = ({ content }: OpenQuestion) =>
    detectIntent(content, language).intent === null && !isAnswer(content);
  return open.find(isQuestion) ?? null;
}

/**
 * Returns whether a message looks like a reply to the agent rather than a question: "three" or "two adults" after "How
 * many nights?".
 */
function isShortStatement(content: string): boolean {
  if (/[?？؟]/u.test(content)) return false;
  const words = new Set(contentTerms(content).filter((term) => !isNumber(term)));
  return words.size < minAskedWords;
}

const minAskedWords = 2;

/** Composes the answer that the assistant would give to the message, and counts its tokens. */
async function answerQuestion(
  installation: Context,
  project: Project,
  { id: messageId, conversationId, position, content: question }: OpenQuestion,
): Promise<ReplyDraft> {
  const answerTrace = createAnswerTrace(question, performance.now());
  const context = withTrace(withProjectModel(installation, project), answerTrace);
  const { answerStarts, caller, signal, receivedAt } = context;
  const { draft, record } = createAnswerDraft();
  using start = await answerStarts.admit(tenantOf(caller), signal, receivedAt);
  const turn = { conversationId, messageId, position: position + 1, isAgentOwned: true };
  const history = await readHistory(context, project.id, turn);
  const asked = { project, turn, question, history, start, filter: null };
  try {
    await inAnswerSpan(() => composeGroundedAnswer(context, asked, record));
    signal.throwIfAborted();
  } finally {
    await countTokens(context, project.id, tokensOf(draft));
  }
  const trace = answerTrace.read({ ...draft, outcome: { status: 'COMPLETED' } });
  return { ...toReplyDraft(messageId, draft), projectId: project.id, trace };
}

/**
 * Converts an answer to a draft. The draft has no text if the answer is the fallback text, a refusal, or without a
 * source, because then the documents do not answer the message.
 */
function toReplyDraft(messageId: string, draft: AnswerDraft): Omit<ReplyDraft, keyof Traced> {
  const { model, finishReason, citations, sources, confidence, lead } = draft;
  // The lead refers to the assistant's answers before, so an agent would not send it.
  const content = draft.content.slice(lead.length);
  const isGrounded = model !== null && finishReason !== 'REFUSAL' && citations.length > 0;
  if (!isGrounded) return { messageId, content: null, text: null, citations: [], confidence };
  return {
    messageId,
    content,
    text: withoutMarkers(content, { citations: citations.length, sources }),
    citations,
    confidence,
  };
}
