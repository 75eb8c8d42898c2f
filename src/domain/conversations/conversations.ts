import { notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import { escapeLike } from '../../platform/postgres/escape-like.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type {
  ConversationChannel,
  ConversationStatus,
  FeedbackRating,
} from '../../platform/postgres/generated/prisma/enums.ts';
import type { Context } from '../context.ts';
import { withLabel } from '../labels/with-label.ts';
import { type ListPart, selectPart } from '../list-place.ts';
import { type Page, type PageInput, readPage } from '../offset-pagination.ts';
import type { Project } from '../organizations/find-project.ts';
import { requireProject, requireProjectId } from '../organizations/require-project.ts';
import { requireProjectResource } from '../organizations/require-project-resource.ts';

export type Conversation = Prisma.ConversationGetPayload<object>;

/** Conditions for conversations. All given conditions must match. */
export interface ConversationFilter {
  readonly status?: ConversationStatus | null;
  /** Must match exactly. */
  readonly endUserId?: string | null;
  /** Text that a message, or the end user's name or e-mail address, must contain. Ignores case. */
  readonly search?: string | null;
  /** At least one answer must have this rating. */
  readonly feedback?: FeedbackRating | null;
  /** Id of a label of the project. The conversation must have this label. */
  readonly labelId?: string | null;
  /** At least one answer must have a confidence below this value, 0 to 1. Small talk has no confidence. */
  readonly confidenceBelow?: number | null;
  readonly channel?: ConversationChannel | null;
  /** If true, a handoff must have been requested at any time. If false, no handoff may have been requested. */
  readonly hasHandoff?: boolean | null;
  /** Earliest time of the last message, inclusive. */
  readonly from?: Date | null;
  /** Latest time of the last message, inclusive. If `to` is before `from`, the result is empty. */
  readonly to?: Date | null;
}

/**
 * Returns the project's conversations, latest message first. `query` selects the page and relations.
 *
 * @throws DomainError from `requireProject`.
 */
export async function listConversations(
  context: Context,
  input: ConversationFilter & { readonly projectId?: string | null },
  query: Pick<Prisma.ConversationFindManyArgs, 'include'> & ListPart = {},
): Promise<Conversation[]> {
  const project = await requireProject(context, input.projectId, 'conversations:read');
  const { include, ...part } = query;
  return context.db.conversation.findMany({
    include,
    ...selectPart(part, conversationsWhere(project, input), newestFirst),
  });
}

/**
 * Returns one page of the project's conversations with the total count, latest message first.
 *
 * @throws DomainError from `requireProject`.
 */
export async function listConversationsByPage(
  context: Context,
  input: ConversationFilter & PageInput & { readonly projectId?: string | null },
): Promise<Page<Conversation>> {
  const project = await requireProject(context, input.projectId, 'conversations:read');
  const where = conversationsWhere(project, input);
  return readPage(
    input,
    (part) => context.db.conversation.findMany(selectPart(part, where, newestFirst)),
    () => context.db.conversation.count({ where }),
  );
}

/**
 * Returns a conversation, with the relations that `query` selects. Without `projectId`, searches all projects that the
 * caller may read.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when the conversation does not exist or the caller may not read it.
 */
export async function getConversation(
  context: Context,
  input: { readonly projectId?: string | null; readonly id: string },
  query: Prisma.ConversationDefaultArgs = {},
): Promise<Conversation> {
  const { caller, db } = context;
  const { projectId, id } = input;
  const isProjectKnown = projectId != null || (caller.type === 'key' && caller.projectId !== null);
  const where = {
    id,
    projectId: isProjectKnown
      ? await requireProjectId(context, projectId, 'conversations:read')
      : await requireProjectOf(context, id),
  };
  const conversation = isId(id) ? await db.conversation.findFirst({ ...query, where }) : null;
  if (conversation === null) throw notFound('Conversation');
  return conversation;
}

async function requireProjectOf(context: Context, id: string): Promise<string> {
  const { project } = await requireProjectResource(
    context,
    'conversations:read',
    { what: 'Conversation', id },
    (id) => context.db.conversation.findUnique({ where: { id }, select: { projectId: true } }),
  );
  return project.id;
}

const newestFirst = [
  { lastMessageAt: 'desc' },
  { id: 'desc' },
] as const satisfies Prisma.ConversationOrderByWithRelationInput[];

/**
 * Converts the conditions to a Prisma filter. Conditions on messages repeat the project id, so that the search reads
 * only the project's partition of the messages table.
 */
export function conversationsWhere(
  { id: projectId }: Project,
  filter: ConversationFilter,
): Prisma.ConversationWhereInput {
  const { status, endUserId, search, feedback, labelId, channel, hasHandoff, from, to } = filter;
  const { confidenceBelow } = filter;
  return {
    projectId,
    ...(status != null && { status }),
    ...(endUserId != null && { endUserId }),
    ...(channel != null && { channel }),
    ...(hasHandoff != null && { handoffs: { [hasHandoff ? 'some' : 'none']: { projectId } } }),
    AND: [
      ...(search == null || search === '' ? [] : [withText(projectId, search)]),
      ...(feedback == null
        ? []
        : [withMessage(projectId, { feedback: { is: { projectId, rating: feedback } } })]),
      ...(confidenceBelow == null
        ? []
        : [withMessage(projectId, { ...groundedAnswer, confidence: { lt: confidenceBelow } })]),
      ...(labelId == null ? [] : [withLabel(projectId, labelId)]),
    ],
    lastMessageAt: { gte: from ?? undefined, lte: to ?? undefined },
  };
}

/** Conditions for answers that have a confidence. `answer-summary` contains the same conditions as SQL. */
const groundedAnswer = {
  role: 'ASSISTANT',
  status: 'COMPLETED',
  intent: null,
} as const satisfies Prisma.MessageWhereInput;

function withText(projectId: string, text: string): Prisma.ConversationWhereInput {
  const part = { contains: escapeLike(text), mode: 'insensitive' } as const;
  return {
    OR: [withMessage(projectId, { content: part }), { endUserName: part }, { endUserEmail: part }],
  };
}

function withMessage(
  projectId: string,
  message: Prisma.MessageWhereInput,
): Prisma.ConversationWhereInput {
  return { messages: { some: { projectId, ...message } } };
}
