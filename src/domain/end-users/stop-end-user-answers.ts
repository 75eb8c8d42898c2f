import { runSql } from '../../platform/postgres/run-sql.ts';
import { failOrphanedAnswers } from '../chat/finalize-turn.ts';
import { answerLeaseSeconds } from '../chat/runs/expired-answer-lease.ts';
import type { Context } from '../context.ts';
import type { EndUserRef } from './erase-batch.ts';

/**
 * Requests a stop of all running answers to an end user, on every node. Marks an answer as failed if its process has
 * died. Does not wait until the answers have stopped.
 */
export async function stopEndUserAnswers(context: Context, endUser: EndUserRef): Promise<void> {
  const { projectId, endUserId } = endUser;
  const values = [projectId, endUserId, answerLeaseSeconds];
  const rows = await runSql<StoppedRow>(context.pool, requestStopsSql, values);
  for (const { id: messageId, isLeaseExpired } of rows) {
    context.runningAnswers.find({ projectId, messageId })?.stop();
    if (isLeaseExpired) {
      await failOrphanedAnswers(context, { afterSeconds: answerLeaseSeconds, messageId });
    }
  }
}

interface StoppedRow {
  readonly id: string;
  readonly isLeaseExpired: boolean;
}

const requestStopsSql = `
  update grounded.messages message
  set stop_requested_at = coalesce(stop_requested_at, now())
  from grounded.conversations conversation
  where conversation.project_id = $1 and conversation.end_user_id = $2
    and message.conversation_id = conversation.id and message.status = 'GENERATING'
  returning message.id, message.lease_renewed_at <= now() - make_interval(secs => $3) as "isLeaseExpired"`;
