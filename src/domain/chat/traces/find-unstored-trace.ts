import type { Context } from '../../context.ts';
import { requirePermission } from '../../permissions.ts';
import type { AnswerTrace } from './answer-trace.ts';
import { nameHits, type ReadAnswerTrace } from './get-answer-trace.ts';

/** A trace of an answer that is not a message. Null: none was recorded. */
export interface Traced {
  readonly projectId: string;
  readonly trace: AnswerTrace | null;
}

/**
 * Returns the trace of a draft or preview with the names of its documents. Null if none was recorded.
 *
 * @throws DomainError from `requirePermission`.
 */
export async function findUnstoredTrace(
  context: Context,
  { projectId, trace }: Traced,
): Promise<ReadAnswerTrace | null> {
  requirePermission(context.caller, 'answer-traces:read');
  if (trace === null) return null;
  return (await nameHits(context, projectId, [trace]))[0] ?? null;
}
