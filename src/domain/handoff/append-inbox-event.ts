import type { Prisma } from '../generated/prisma/client.ts';
import { transactionSql } from '../run-sql.ts';

export interface InboxEvent {
  readonly projectId: string;
  readonly type: 'REQUESTED' | 'CLAIMED' | 'RESOLVED' | 'MESSAGE';
  readonly handoffId: string;
  /** Of a `MESSAGE`. */
  readonly messageId?: string;
}

/**
 * Tells the project's inbox, in the transaction of what happened. The project's row stays locked until that ends,
 * so call it last, and behind the lock of the conversation's row.
 */
export async function appendInboxEvent(
  db: Prisma.TransactionClient,
  { projectId, type, handoffId, messageId }: InboxEvent,
): Promise<void> {
  await transactionSql(db).query(insertNumbered, [projectId, type, handoffId, messageId ?? null]);
}

const insertNumbered = `
  with project as (
    update grounded.projects set inbox_position = inbox_position + 1 where id = $1::uuid
    returning id, inbox_position
  )
  insert into grounded.inbox_events (project_id, position, type, handoff_id, message_id)
  select id, inbox_position, $2::grounded.inbox_event_type, $3::uuid, $4::uuid from project`;
