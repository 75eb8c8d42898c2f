import pg from 'pg';
import { expect } from 'vitest';
import type { ReceivedWebhook } from '../support/servers/webhook-receiver.ts';
import type { Acknowledged } from './load-generator.ts';

export interface Observations {
  readonly acknowledged: Acknowledged;
  /** Cursors that each subscriber received, in the order of arrival. */
  readonly cursors: readonly (readonly string[])[];
  readonly webhooks: readonly ReceivedWebhook[];
  /** Usage as the service reports it. */
  readonly usage: { readonly messages: { used: number }; readonly storage: { usedBytes: number } };
}

/** Checks that the database contains all data that the service has acknowledged, and no incomplete work. */
export async function checkInvariants(
  databaseUrl: string,
  projectId: string,
  { acknowledged, cursors, webhooks, usage }: Observations,
): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[]) =>
    (await client.query<Row>(text, values)).rows;
  try {
    const answers = await query<{ messageId: string; content: string }>(
      `select id as "messageId", content from grounded.messages
       where project_id = $1 and role = 'ASSISTANT' and status = 'COMPLETED' and id = any($2)`,
      [projectId, acknowledged.answers.map(({ messageId }) => messageId)],
    );
    const contents = new Map(answers.map(({ messageId, content }) => [messageId, content]));
    const lost = acknowledged.answers.filter(
      ({ messageId, content }) => contents.get(messageId) !== content,
    );
    expect(lost, 'answers that were given and are not in a transcript').toEqual([]);

    const documents = await query<{
      id: string;
      status: string;
      expectedChunks: number;
      chunks: number;
    }>(
      `select d.id, d.status, d.chunk_count as "expectedChunks",
         (select count(*)::int from grounded.chunks c where c.document_id = d.id) as chunks
       from grounded.documents d where d.project_id = $1`,
      [projectId],
    );
    const stuck = documents.filter(
      ({ status, expectedChunks, chunks }) =>
        status !== 'READY' || expectedChunks !== chunks || chunks === 0,
    );
    expect(stuck, 'documents that are not READY with all of their chunks').toEqual([]);
    const ids = new Set(documents.map(({ id }) => id));
    expect(
      acknowledged.documentIds.filter((id) => !ids.has(id)),
      'documents lost',
    ).toEqual([]);

    const [rows] = await query<{ messages: number; bytes: number }>(
      `select
         (select count(*)::int from grounded.messages
          where project_id = $1 and role = 'ASSISTANT' and status <> 'FAILED') as messages,
         (select coalesce(sum(size_bytes), 0)::int from grounded.documents
          where project_id = $1) as bytes`,
      [projectId],
    );
    expect(usage.messages.used, 'messages counted').toBe(rows?.messages);
    expect(usage.storage.usedBytes, 'bytes counted').toBe(rows?.bytes);

    const events = await query<{ position: string; handoffId: string }>(
      `select position, handoff_id as "handoffId" from grounded.inbox_events
       where project_id = $1 order by position`,
      [projectId],
    );
    const wanted = events.map(({ position }) =>
      Buffer.from(`inbox:${position}`).toString('base64url'),
    );
    for (const given of cursors) expect(given, 'events of a subscriber').toEqual(wanted);
    const inInbox = new Set(events.map(({ handoffId }) => handoffId));
    const missing = [...acknowledged.handoffIds].filter((id) => !inInbox.has(id));
    expect(missing, 'handoffs that are not in the inbox').toEqual([]);

    const webhookIds = webhookIdsBySubject(webhooks);
    for (const id of [...acknowledged.handoffIds, ...acknowledged.documentIds]) {
      expect(webhookIds.get(id)?.size, `webhook ids for ${id}`).toBe(1);
    }
    return [
      `${acknowledged.answers.length} answers given, all of them in transcripts`,
      `${documents.length} documents, all READY (${acknowledged.documentIds.length} acknowledged)`,
      `${rows?.messages} messages and ${rows?.bytes} bytes, counted as such`,
      `${events.length} inbox events, each once and in order at ${cursors.length} subscribers`,
      `${webhookIds.size} events told by ${webhooks.length} webhooks`,
    ];
  } finally {
    await client.end();
  }
}

/** Returns the values of `webhook-id` in events, grouped by the handoff or document of the event. */
function webhookIdsBySubject(webhooks: readonly ReceivedWebhook[]): Map<string, Set<string>> {
  const webhookIds = new Map<string, Set<string>>();
  for (const { body, webhookHeaders } of webhooks) {
    const { data } = JSON.parse(body);
    const subject: string = data.handoffId ?? data.documentId;
    webhookIds.set(
      subject,
      (webhookIds.get(subject) ?? new Set()).add(String(webhookHeaders['webhook-id'])),
    );
  }
  return webhookIds;
}
