import { DomainError, type ErrorCode, notFound } from '../../platform/errors.ts';
import { getApiKey } from '../api-keys/api-keys.ts';
import type { Context } from '../context.ts';
import { getConversation } from '../conversations/conversations.ts';
import { getEvaluation } from '../evaluation/evaluation-runs.ts';
import { isCurrent } from '../evaluation/question-rows.ts';
import { getQuestionSet } from '../evaluation/question-sets.ts';
import { getSavedReply } from '../handoff/saved-replies.ts';
import { getDocumentChunk } from '../knowledge/document-chunks.ts';
import { getDocument } from '../knowledge/documents.ts';
import { getLabel } from '../labels/labels.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { requireProject } from '../organizations/require-project.ts';
import { requirePermission } from '../permissions.ts';
import { getSource } from '../sources/sources.ts';
import { getWebhookEndpoint } from '../webhooks/webhook-endpoints.ts';
import { findNodeLocation, type NodeLocation, type NodeType } from './find-node-location.ts';

/** A row with its type. */
export interface Node {
  readonly type: NodeType;
  readonly row: { readonly id: string };
}

/**
 * Returns the object with this id.
 * @throws DomainError UNAUTHENTICATED when the caller is anonymous
 * @throws DomainError NOT_FOUND when there is no such object, or the caller may not read it
 */
export async function getNode(context: Context, id: string): Promise<Node> {
  if (context.caller.type === 'anonymous') requirePermission(context.caller, 'organization:read');
  const location = await findNodeLocation(context, id);
  if (location === null) throw notFound('Node');
  const { type } = location;
  const row = await readers[type](context, location).catch(asNotFound);
  if (row === null) throw notFound('Node');
  return { type, row };
}

/** For each type, a function that checks the permission in the tenant of the row, and then reads the row. */
const readers: Readonly<
  Record<NodeType, (context: Context, location: NodeLocation) => Promise<Node['row'] | null>>
> = {
  Organization: (context, { id }) => requireOrganization(context, id, 'organization:read'),
  Project: (context, { id }) => requireProject(context, id, 'organization:read'),
  async Membership(context, { id, organizationId }) {
    await requireOrganization(context, organizationId, 'organization:read');
    return context.db.member.findFirst({ where: { id, organizationId } });
  },
  ApiKey: (context, { id }) => getApiKey(context, { id }),
  async AuditEntry(context, { id, organizationId }) {
    await requireOrganization(context, organizationId, 'audit:read');
    return context.db.auditEntry.findFirst({ where: { id, organizationId } });
  },
  Document: (context, { id, projectId }) => getDocument(context, { id, projectId }),
  Chunk: (context, { id, projectId }) => getDocumentChunk(context, { id, projectId }),
  Source: (context, { id, projectId }) => getSource(context, { id, projectId }),
  async SourceRun(context, { id, projectId }) {
    const run = await context.db.sourceRun.findFirst({ where: { id, projectId } });
    if (run !== null) await getSource(context, { id: run.sourceId, projectId });
    return run;
  },
  Conversation: (context, { id, projectId }) => getConversation(context, { id, projectId }),
  async Message(context, { id, projectId }) {
    await requireProject(context, projectId, 'conversations:read');
    return context.db.message.findFirst({ where: { id, projectId } });
  },
  async Handoff(context, { id, projectId }) {
    await requireProject(context, projectId, 'conversations:read');
    return context.db.handoff.findFirst({ where: { id, projectId } });
  },
  async ConversationNote(context, { id, projectId }) {
    await requireProject(context, projectId, 'handoffs:work');
    return context.db.conversationNote.findFirst({ where: { id, projectId } });
  },
  async ConversationEvent(context, { id, projectId }) {
    await requireProject(context, projectId, 'handoffs:work');
    return context.db.conversationEvent.findFirst({ where: { id, projectId } });
  },
  SavedReply: (context, { id, projectId }) =>
    getSavedReply(context, { savedReplyId: id, projectId }),
  Label: (context, { id, projectId }) => getLabel(context, { labelId: id, projectId }),
  QuestionSet: (context, { id, projectId }) => getQuestionSet(context, { id, projectId }),
  async SetQuestion(context, { id, projectId }) {
    await requireProject(context, projectId, 'evaluation:read');
    return context.db.setQuestion.findFirst({ where: { id, projectId, ...isCurrent } });
  },
  EvaluationRun: (context, { id, projectId }) => getEvaluation(context, { id, projectId }),
  WebhookEndpoint: (context, { id, projectId }) => getWebhookEndpoint(context, { id, projectId }),
  async WebhookDelivery(context, { id, projectId }) {
    await requireProject(context, projectId, 'webhooks:manage');
    return context.db.webhookDelivery.findFirst({ where: { id, projectId } });
  },
};

/** Converts a refusal to NOT_FOUND. Otherwise the caller would learn that the id exists, and its type. */
function asNotFound(error: unknown): never {
  throw error instanceof DomainError && refusals.has(error.code) ? notFound('Node') : error;
}

const refusals: ReadonlySet<ErrorCode> = new Set([
  'NOT_FOUND',
  'FORBIDDEN',
  'SCOPE_MISSING',
  'PROJECT_FORBIDDEN',
]);
