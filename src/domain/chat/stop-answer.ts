import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { isId } from '../ids.ts';
import { requireProject } from '../organizations/require-project.ts';
import { closeForsaken } from './forsaken-answer.ts';
import type { AnswerPlace } from './running-answers.ts';

export type Answer = Prisma.MessageGetPayload<object>;

/**
 * Ends an answer of the assistant with what there is, whichever process generates it, and gives the message once
 * that is stored or, where it takes too long, as it is. One that has ended already is left as it is.
 * Throws what `requireProject` throws, and `NOT_FOUND` for a message that is no answer of the assistant.
 */
export async function stopAnswer(
  context: Context,
  input: { readonly projectId?: string | null; readonly messageId: string },
  query: Prisma.MessageDefaultArgs = {},
): Promise<Answer> {
  const project = await requireProject(context, input.projectId, 'chat');
  const place = { projectId: project.id, messageId: input.messageId };
  if (!isId(place.messageId)) throw notFound('Answer');
  await closeForsaken(context, place);
  if (await requestStop(context, place)) await ended(context, place);
  const message = await context.db.message.findFirst({
    ...query,
    where: { id: place.messageId, projectId: project.id, role: 'ASSISTANT' },
  });
  if (message === null) throw notFound('Answer');
  return message;
}

/** False where there is nothing to stop. */
async function requestStop(
  { pool }: Context,
  { projectId, messageId }: AnswerPlace,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update grounded.messages set stop_requested_at = coalesce(stop_requested_at, now())
     where id = $1 and project_id = $2 and role = 'ASSISTANT' and status = 'GENERATING'`,
    [messageId, projectId],
  );
  return rowCount === 1;
}

const patienceMs = 10_000;
const pollMs = 100;

/** Waits until an answer has ended, whichever process ends it, but not for ever. */
async function ended(context: Context, place: AnswerPlace): Promise<void> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(patienceMs)]);
  const pause = (ms: number) => delay(ms, undefined, { signal, ref: false }).catch(() => {});
  const run = context.runningAnswers.find(place);
  if (run !== null) {
    run.stop();
    await Promise.race([run.ended, pause(patienceMs)]);
    return;
  }
  while (!signal.aborted && (await isGenerated(context, place))) await pause(pollMs);
}

async function isGenerated(
  { pool }: Context,
  { projectId, messageId }: AnswerPlace,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'is-answer-generated',
    text: `select id from grounded.messages where id = $1 and project_id = $2 and status = 'GENERATING'`,
    values: [messageId, projectId],
  });
  return rowCount === 1;
}
