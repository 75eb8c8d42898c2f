import { notFound } from '../../../platform/errors.ts';
import { isId } from '../../../platform/ids.ts';
import type { Prisma } from '../../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../../platform/postgres/run-sql.ts';
import { sleep } from '../../../platform/wait.ts';
import type { Context } from '../../context.ts';
import { requireProject } from '../../organizations/require-project.ts';
import { failIfLeaseExpired } from './expired-answer-lease.ts';
import { ownAnswersOnly } from './own-answers.ts';
import type { AnswerRef } from './running-answers.ts';

export type Answer = Prisma.MessageGetPayload<object>;

/**
 * Stops an answer and keeps the text generated so far. Also works if another process generates the answer. Returns the
 * stored message, or the current state of the message if it is not stored within `stopTimeoutMs`. Returns a finished
 * answer unchanged.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when the message is not an assistant's answer in the project. Also when the answer was
 *   requested by another API key and the calling key may not read conversations.
 */
export async function stopAnswer(
  context: Context,
  input: { readonly projectId?: string | null; readonly messageId: string },
  query: Prisma.MessageDefaultArgs = {},
): Promise<Answer> {
  const project = await requireProject(context, input.projectId, 'chat');
  const answerRef = { projectId: project.id, messageId: input.messageId };
  if (!isId(answerRef.messageId)) throw notFound('Answer');
  const askedByKey = ownAnswersOnly(context.caller);
  const own = { id: input.messageId, projectId: project.id, role: 'ASSISTANT' } as const;
  const where = askedByKey === null ? own : { ...own, askedByKey };
  if (askedByKey !== null && (await context.db.message.count({ where })) === 0) {
    throw notFound('Answer');
  }
  await failIfLeaseExpired(context, answerRef);
  if (await requestStop(context, answerRef)) await waitUntilFinished(context, answerRef);
  const message = await context.db.message.findFirst({
    ...query,
    where,
  });
  if (message === null) throw notFound('Answer');
  return message;
}

/** Returns false if the status of the answer is not `GENERATING`. */
async function requestStop(
  { pool }: Context,
  { projectId, messageId }: AnswerRef,
): Promise<boolean> {
  const requested = await runSql(
    pool,
    `update grounded.messages set stop_requested_at = coalesce(stop_requested_at, now())
     where id = $1 and project_id = $2 and role = 'ASSISTANT' and status = 'GENERATING' returning id`,
    [messageId, projectId],
  );
  return requested.length === 1;
}

const stopTimeoutMs = 10_000;
const pollIntervalMs = 100;

/** Waits at most `stopTimeoutMs` until the answer is finished, in this or another process. */
async function waitUntilFinished(context: Context, answerRef: AnswerRef): Promise<void> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(stopTimeoutMs)]);
  const run = context.runningAnswers.find(answerRef);
  if (run !== null) {
    run.stop();
    await Promise.race([run.finished, sleep(stopTimeoutMs, signal)]);
    return;
  }
  while (!signal.aborted && (await isGenerating(context, answerRef))) {
    await sleep(pollIntervalMs, signal);
  }
}

async function isGenerating(
  { pool }: Context,
  { projectId, messageId }: AnswerRef,
): Promise<boolean> {
  return (await runSql(pool, findGenerating, [messageId, projectId])).length === 1;
}

const findGenerating = {
  name: 'is-answer-generated',
  text: `select id from grounded.messages where id = $1 and project_id = $2 and status = 'GENERATING'`,
};
