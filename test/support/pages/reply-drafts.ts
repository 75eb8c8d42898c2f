import { claimHandoff } from '../../../src/domain/handoff/claim-handoff.ts';
import { requestHandoff } from '../../../src/domain/handoff/request-handoff.ts';
import type { GraphqlClient } from '../api/graphql-client.ts';
import { addConversation } from '../conversations.ts';
import type { Tenant, TestService } from '../service.ts';

export const draftQuery = `query ($handoffId: ID!, $projectId: ID) {
  draftReply(handoffId: $handoffId, projectId: $projectId) {
    messageId content text confidence citations { documentName quote }
  }
}`;

export interface Draft {
  readonly messageId: string;
  readonly content: string | null;
  readonly text: string | null;
  readonly confidence: number;
  readonly citations: readonly { readonly documentName: string }[];
}

export async function draftOf(client: GraphqlClient, handoffId: string): Promise<Draft | null> {
  return (await client.data<{ draftReply: Draft | null }>(draftQuery, { handoffId })).draftReply;
}

/**
 * Requests a handoff and claims it. The handoff belongs to `conversationId`, or to a new conversation if it is omitted.
 */
export async function claimedConversation(
  service: TestService,
  projectId: string,
  conversationId?: string,
  { isClaimed = true } = {},
): Promise<{ readonly conversationId: string; readonly handoffId: string }> {
  const id = conversationId ?? (await addConversation(service, projectId));
  const input = { projectId, conversationId: id };
  const { id: handoffId } = await requestHandoff(service.system, input);
  if (isClaimed) await claimHandoff(service.system, { handoffId });
  return { conversationId: id, handoffId };
}

/** Returns the rows that a draft must not change, and the usage of the month. */
export async function storedState(
  { system: { db, pool }, adapters }: TestService,
  { organizationId, projectId }: Tenant,
) {
  await adapters.tokenCounter.flush();
  const where = { projectId };
  const { rows: quality } = await pool.query(
    'select sum(answers)::integer as answers from grounded.answer_days where organization_id = $1',
    [organizationId],
  );
  const { rows: usage } = await pool.query<Record<string, string>>(
    `select messages, input_tokens, output_tokens, embedding_tokens from grounded.usage_periods
     where organization_id = $1`,
    [organizationId],
  );
  return {
    rows: {
      messages: await db.message.findMany({ where, orderBy: { id: 'asc' } }),
      conversations: await db.conversation.findMany({ where, orderBy: { id: 'asc' } }),
      handoffs: await db.handoff.findMany({ where, orderBy: { id: 'asc' } }),
      quality,
    },
    usage: {
      messages: Number(usage[0]?.messages ?? 0),
      inputTokens: Number(usage[0]?.input_tokens ?? 0),
      outputTokens: Number(usage[0]?.output_tokens ?? 0),
      embeddingTokens: Number(usage[0]?.embedding_tokens ?? 0),
    },
  };
}
