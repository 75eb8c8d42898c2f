import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { InboxEvent } from './watch-inbox.ts';

export interface NewInboxEvent {
  readonly projectId: string;
  readonly type: 'REQUESTED' | 'CLAIMED' | 'RESOLVED' | 'MESSAGE';
  readonly handoffId: string;
  /**
   * Set for `MESSAGE` events. If a `MESSAGE` event has no `messageId`, it is emitted as `UPDATED` (`inboxEventType`).
   */
  readonly messageId?: string;
}

/**
 * Appends an inbox event. Call it in the transaction of the change that the event reports. It must be the last step,
 * after the lock of the conversation's row, because it locks the project's row until the transaction finishes.
 */
export async function appendInboxEvent(
  db: Prisma.TransactionClient,
  { projectId, type, handoffId, messageId }: NewInboxEvent,
): Promise<void> {
  await runSql(db, insertInboxEvent, [projectId, type, handoffId, messageId ?? null]);
}

/**
 * Returns the type with which subscribers receive a stored event. `UPDATED` reports changes that only the team sees,
 * such as notes, labels and ratings. The column does not contain `UPDATED`, because earlier versions of the service
 * could not read it.
 */
export function inboxEventType({
  type,
  messageId,
}: Pick<InboxEvent, 'type' | 'messageId'>): InboxEvent['type'] | 'UPDATED' {
  return type === 'MESSAGE' && messageId === null ? 'UPDATED' : type;
}

const insertInboxEvent = `
  with project as (
    update grounded.projects set inbox_position = inbox_position + 1 where id = $1::uuid
    returning id, inbox_position
  )
  insert into grounded.inbox_events (project_id, position, type, handoff_id, message_id)
  select id, inbox_position, $2::grounded.inbox_event_type, $3::uuid, $4::uuid from project`;
