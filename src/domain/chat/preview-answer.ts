import { tenantOf } from '../caller-tenant.ts';
import { type Context, fromPrimary } from '../context.ts';
import type { Citation } from '../conversations/citation.ts';
import { requireProject } from '../organizations/require-project.ts';
import { consumeCostlyLimit } from '../usage/costly-limit.ts';
import { countTokens } from '../usage/count-tokens.ts';
import { lowConfidenceThreshold } from '../usage/low-confidence.ts';
import { createAnswerDraft } from './answer-draft.ts';
import { composeGroundedAnswer } from './compose-grounded-answer.ts';
import { withProjectModel } from './project-model.ts';

/** An answer of the assistant that is not stored. */
export interface AnswerPreview {
  readonly content: string;
  readonly citations: readonly Citation[];
  /** Confidence in the answer, 0 to 1. */
  readonly confidence: number;
  /** Whether the documents answer the question with sufficient confidence. */
  readonly isAnswered: boolean;
}

const previewTimeoutMs = 60_000;

/**
 * Answers a question as the assistant would at the start of a conversation. Stores nothing and consumes none of the
 * monthly allowance. Therefore only callers who may work on handoffs can use it. Counts the tokens. Aborts after 60
 * seconds.
 *
 * @throws DomainError from `requireProject`, `consumeCostlyLimit` and `AnswerStarts.admit`.
 */
export async function previewAnswer(
  installation: Context,
  { projectId, question }: { readonly projectId: string; readonly question: string },
): Promise<AnswerPreview> {
  const project = await requireProject(installation, projectId, 'handoffs:work');
  await consumeCostlyLimit(installation, 'drafts');
  const deadline = AbortSignal.any([installation.signal, AbortSignal.timeout(previewTimeoutMs)]);
  const context = withProjectModel({ ...installation, signal: deadline }, project);
  const { answerStarts, caller, signal, receivedAt } = context;
  const { draft, record } = createAnswerDraft();
  using start = await answerStarts.admit(tenantOf(caller), signal, receivedAt);
  const turn = { messageId: 'preview' };
  const asked = { project, turn, question, history: [], start, filter: null };
  try {
    await composeGroundedAnswer(context, asked, record);
    signal.throwIfAborted();
  } finally {
    const { usage, embeddingTokens } = draft;
    await countTokens(fromPrimary(context), project.id, { ...usage, embeddingTokens });
  }
  const { content, citations, confidence } = draft;
  const isAnswered = citations.length > 0 && confidence >= lowConfidenceThreshold;
  return { content, citations, confidence, isAnswered };
}
