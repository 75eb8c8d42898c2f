import { closeStaleAnswers } from '../chat/close-turn.ts';
import { forsakenAfterSeconds } from '../chat/forsaken-answer.ts';
import type { Context } from '../context.ts';
import type { EndUser } from './erase-batch.ts';

/**
 * Asks all answers to an end user that are being generated to end, in whichever process, and ends those whose process
 * has died. Does not wait for them.
 */
export async function stopAnswers(context: Context, endUser: EndUser): Promise<void> {
  const { projectId, endUserId } = endUser;
  const { rows } = await context.pool.query<{ id: string; isForsaken: boolean }>(requestStops, [
    projectId,
    endUserId,
    forsakenAfterSeconds,
  ]);
  for (const { id: messageId, isForsaken } of rows) {
    context.runningAnswers.find({ projectId, messageId })?.stop();
    if (isForsaken) {
      await closeStaleAnswers(context, { afterSeconds: forsakenAfterSeconds, messageId });
    }
  }
}

const requestStops = `
  update grounded.messages message
  set stop_requested_at = coalesce(stop_requested_at, now())
  from grounded.conversations conversation
  where conversation.project_id = $1 and conversation.end_user_id = $2
    and message.conversation_id = conversation.id and message.status = 'GENERATING'
  returning message.id, message.alive_at <= now() - make_interval(secs => $3) as "isForsaken"`;
