import type { ApiKey } from '../api-keys/api-keys.ts';
import type { Context } from '../context.ts';
import type { Conversation } from '../conversations/conversations.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Handoff } from '../handoff/handoffs.ts';
import type { Document } from '../knowledge/documents.ts';
import { type NestedPart, nestedList, readNestedList } from '../nested-list.ts';
import type { Member } from './members.ts';
import { requireMember } from './require-member.ts';
import type { Organization } from './require-organization.ts';
import type { Project } from './require-project.ts';

// What organizations and projects hold that the caller has been given, each list for all of them at once.

type Of<Row> = Pick<Row, Extract<keyof Row, 'id' | 'organizationId'>>;

/** Newest first. */
export async function listProjectsOf(
  context: Context,
  { id }: Of<Organization>,
  query: NestedPart & Pick<Prisma.ProjectFindManyArgs, 'include'> = {},
): Promise<Project[]> {
  await requireMember(context, id, 'organization:read');
  return readNestedList(context, projects, { id, tenantId: id }, query, (ids, organizationIds) =>
    context.db.project.findMany({
      include: query.include,
      where: { id: { in: ids }, organizationId: { in: organizationIds } },
    }),
  );
}

/** By address. */
export async function listMembersOf(
  context: Context,
  { id }: Of<Organization>,
  query: NestedPart & Pick<Prisma.MemberFindManyArgs, 'include'> = {},
): Promise<Member[]> {
  await requireMember(context, id, 'organization:read');
  return readNestedList(context, members, { id, tenantId: id }, query, (ids, organizationIds) =>
    context.db.member.findMany({
      include: query.include,
      where: { id: { in: ids }, organizationId: { in: organizationIds } },
    }),
  );
}

/** Keys of one project, newest first; not those of the whole organization. */
export async function listApiKeysOf(
  context: Context,
  { id, organizationId }: Of<Project>,
  query: NestedPart & Pick<Prisma.ApiKeyFindManyArgs, 'include'> = {},
): Promise<ApiKey[]> {
  await requireMember(context, organizationId, 'organization:manage');
  return readNestedList(context, apiKeys, { id, tenantId: id }, query, (ids, projectIds) =>
    context.db.apiKey.findMany({
      include: query.include,
      where: { id: { in: ids }, projectId: { in: projectIds } },
    }),
  );
}

/** Newest first. */
export async function listDocumentsOf(
  context: Context,
  { id, organizationId }: Of<Project>,
  query: NestedPart & Pick<Prisma.DocumentFindManyArgs, 'include'> = {},
): Promise<Document[]> {
  await requireMember(context, organizationId, 'knowledge:read');
  return readNestedList(context, documents, { id, tenantId: id }, query, (ids, projectIds) =>
    context.db.document.findMany({
      include: query.include,
      where: { id: { in: ids }, projectId: { in: projectIds } },
    }),
  );
}

/** That of the newest message first. */
export async function listConversationsOf(
  context: Context,
  { id, organizationId }: Of<Project>,
  query: NestedPart & Pick<Prisma.ConversationFindManyArgs, 'include'> = {},
): Promise<Conversation[]> {
  await requireMember(context, organizationId, 'conversations:read');
  return readNestedList(context, conversations, { id, tenantId: id }, query, (ids, projectIds) =>
    context.db.conversation.findMany({
      include: query.include,
      where: { id: { in: ids }, projectId: { in: projectIds } },
    }),
  );
}

/** The latest request first. */
export async function listHandoffsOf(
  context: Context,
  { id, organizationId }: Of<Project>,
  query: NestedPart & Pick<Prisma.HandoffFindManyArgs, 'include'> = {},
): Promise<Handoff[]> {
  await requireMember(context, organizationId, 'conversations:read');
  return readNestedList(context, handoffs, { id, tenantId: id }, query, (ids, projectIds) =>
    context.db.handoff.findMany({
      include: query.include,
      where: { id: { in: ids }, projectId: { in: projectIds } },
    }),
  );
}

const projects = nestedList<Project>({
  table: 'grounded.projects',
  parent: 'organization_id',
  tenant: 'organization_id',
  order: ['id'],
  direction: 'desc',
});
const members = nestedList<Member>({
  table: 'grounded.members',
  parent: 'organization_id',
  tenant: 'organization_id',
  order: ['email'],
  direction: 'asc',
});
const apiKeys = nestedList<ApiKey>({
  table: 'grounded.api_keys',
  parent: 'project_id',
  tenant: 'project_id',
  order: ['id'],
  direction: 'desc',
});
const documents = nestedList<Document>({
  table: 'grounded.documents',
  parent: 'project_id',
  tenant: 'project_id',
  order: ['created_at', 'id'],
  direction: 'desc',
});
const conversations = nestedList<Conversation>({
  table: 'grounded.conversations',
  parent: 'project_id',
  tenant: 'project_id',
  order: ['last_message_at', 'id'],
  direction: 'desc',
});
const handoffs = nestedList<Handoff>({
  table: 'grounded.handoffs',
  parent: 'project_id',
  tenant: 'project_id',
  order: ['requested_at', 'id'],
  direction: 'desc',
});
