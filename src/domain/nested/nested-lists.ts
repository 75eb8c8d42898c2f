import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { ApiKey } from '../api-keys/api-keys.ts';
import type { Context } from '../context.ts';
import type { Conversation } from '../conversations/conversations.ts';
import type { Handoff } from '../handoff/handoffs.ts';
import { type Document, listDocuments } from '../knowledge/documents.ts';
import { callerFilter } from '../knowledge/filter/caller-filter.ts';
import type { Project } from '../organizations/find-project.ts';
import type { Member } from '../organizations/members.ts';
import { requireMember } from '../organizations/require-member.ts';
import type { Organization } from '../organizations/require-organization.ts';
import {
  defineNestedList,
  type NestedPageArgs,
  paginatePerParent,
} from '../paginate-per-parent.ts';

// Nested lists of organizations and projects. The caller must already have been authorized to read the parent. Each
// list is read for all parents in one batch.

type ParentRef<Row> = Pick<Row, Extract<keyof Row, 'id' | 'organizationId'>>;

/** Returns an organization's projects, newest first. */
export async function listProjectsOf(
  context: Context,
  { id }: ParentRef<Organization>,
  query: NestedPageArgs & Pick<Prisma.ProjectFindManyArgs, 'include'> = {},
): Promise<Project[]> {
  await requireMember(context, id, 'organization:read');
  return paginatePerParent(context, projects, { id, tenantId: id }, query, (ids, organizationIds) =>
    context.db.project.findMany({
      include: query.include,
      where: { id: { in: ids }, organizationId: { in: organizationIds } },
    }),
  );
}

/** Returns an organization's members, sorted by e-mail address. */
export async function listMembersOf(
  context: Context,
  { id }: ParentRef<Organization>,
  query: NestedPageArgs & Pick<Prisma.MemberFindManyArgs, 'include'> = {},
): Promise<Member[]> {
  await requireMember(context, id, 'organization:read');
  return paginatePerParent(context, members, { id, tenantId: id }, query, (ids, organizationIds) =>
    context.db.member.findMany({
      include: query.include,
      where: { id: { in: ids }, organizationId: { in: organizationIds } },
    }),
  );
}

/** Returns the API keys that are restricted to a project, newest first. */
export async function listApiKeysOf(
  context: Context,
  { id, organizationId }: ParentRef<Project>,
  query: NestedPageArgs & Pick<Prisma.ApiKeyFindManyArgs, 'include'> = {},
): Promise<ApiKey[]> {
  await requireMember(context, organizationId, 'organization:manage');
  return paginatePerParent(context, apiKeys, { id, tenantId: id }, query, (ids, projectIds) =>
    context.db.apiKey.findMany({
      include: query.include,
      where: { id: { in: ids }, projectId: { in: projectIds } },
    }),
  );
}

/** Returns a project's documents, newest first. */
export async function listDocumentsOf(
  context: Context,
  { id, organizationId }: ParentRef<Project>,
  query: NestedPageArgs & Pick<Prisma.DocumentFindManyArgs, 'include'> = {},
): Promise<Document[]> {
  await requireMember(context, organizationId, 'knowledge:read');
  if (callerFilter(context.caller) !== null) {
    return listDocuments(context, { projectId: id }, query);
  }
  return paginatePerParent(context, documents, { id, tenantId: id }, query, (ids, projectIds) =>
    context.db.document.findMany({
      include: query.include,
      where: { id: { in: ids }, projectId: { in: projectIds } },
    }),
  );
}

/** Returns a project's conversations, latest message first. */
export async function listConversationsOf(
  context: Context,
  { id, organizationId }: ParentRef<Project>,
  query: NestedPageArgs & Pick<Prisma.ConversationFindManyArgs, 'include'> = {},
): Promise<Conversation[]> {
  await requireMember(context, organizationId, 'conversations:read');
  return paginatePerParent(context, conversations, { id, tenantId: id }, query, (ids, projectIds) =>
    context.db.conversation.findMany({
      include: query.include,
      where: { id: { in: ids }, projectId: { in: projectIds } },
    }),
  );
}

/** Returns a project's handoffs, latest request first. */
export async function listHandoffsOf(
  context: Context,
  { id, organizationId }: ParentRef<Project>,
  query: NestedPageArgs & Pick<Prisma.HandoffFindManyArgs, 'include'> = {},
): Promise<Handoff[]> {
  await requireMember(context, organizationId, 'conversations:read');
  return paginatePerParent(context, handoffs, { id, tenantId: id }, query, (ids, projectIds) =>
    context.db.handoff.findMany({
      include: query.include,
      where: { id: { in: ids }, projectId: { in: projectIds } },
    }),
  );
}

const projects = defineNestedList<Project>({
  table: 'grounded.projects',
  parentColumn: 'organization_id',
  tenantColumn: 'organization_id',
  orderBy: [{ id: 'desc' }],
});
const members = defineNestedList<Member>({
  table: 'grounded.members',
  parentColumn: 'organization_id',
  tenantColumn: 'organization_id',
  orderBy: [{ email: 'asc' }],
});
const apiKeys = defineNestedList<ApiKey>({
  table: 'grounded.api_keys',
  parentColumn: 'project_id',
  tenantColumn: 'project_id',
  orderBy: [{ id: 'desc' }],
});
const documents = defineNestedList<Document>({
  table: 'grounded.documents',
  parentColumn: 'project_id',
  tenantColumn: 'project_id',
  orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  condition: 'deleted_at is null',
});
const conversations = defineNestedList<Conversation>({
  table: 'grounded.conversations',
  parentColumn: 'project_id',
  tenantColumn: 'project_id',
  orderBy: [{ lastMessageAt: 'desc' }, { id: 'desc' }],
});
const handoffs = defineNestedList<Handoff>({
  table: 'grounded.handoffs',
  parentColumn: 'project_id',
  tenantColumn: 'project_id',
  orderBy: [{ requestedAt: 'desc' }, { id: 'desc' }],
});
