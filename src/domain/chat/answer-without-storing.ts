import type { Context } from '../context.ts';
import type { DocumentFilter } from '../knowledge/filter/document-filter.ts';
import type { Project } from '../organizations/find-project.ts';
import { countTokens } from '../usage/count-tokens.ts';
import { type AnswerDraft, createAnswerDraft, tokensOf } from './answer-draft.ts';
import { composeGroundedAnswer } from './compose-grounded-answer.ts';
import { inAnswerSpan } from './traces/answer-span.ts';
import type { AnswerTrace } from './traces/answer-trace.ts';
import { createAnswerTrace } from './traces/create-answer-trace.ts';
import { withTrace } from './traces/trace-models.ts';

/** An answer that is not stored, and how it came about. */
export interface UnstoredAnswer extends AnswerDraft {
  readonly trace: AnswerTrace;
}

/**
 * Answers a question as the assistant would at the start of a conversation. Stores nothing but the tokens, and consumes
 * none of the monthly allowance. `subject` names the work in the log. The caller passes a context with the project's
 * model (`withProjectModel`).
 *
 * @throws DomainError from `AnswerStarts.admit` and of the models.
 */
export async function answerWithoutStoring(
  installation: Context,
  {
    project,
    question,
    subject,
    filter = null,
  }: {
    readonly project: Project;
    readonly question: string;
    readonly subject: string;
    readonly filter?: DocumentFilter | null;
  },
): Promise<UnstoredAnswer> {
  const startedAt = performance.now();
  const answerTrace = createAnswerTrace(question, startedAt);
  const context = withTrace(installation, answerTrace);
  const { answerStarts, signal, receivedAt } = context;
  const { draft, record } = createAnswerDraft();
  using start = await answerStarts.admit(project.organizationId, signal, receivedAt);
  const turn = { messageId: subject };
  try {
    const asked = { project, turn, question, history: [], start, filter };
    await inAnswerSpan(() => composeGroundedAnswer(context, asked, record));
    signal.throwIfAborted();
  } finally {
    await countTokens(context, project.id, tokensOf(draft));
  }
  const trace = answerTrace.read({ ...draft, outcome: { status: 'COMPLETED' } });
  return { ...draft, latencyMs: Math.round(performance.now() - startedAt), trace };
}
