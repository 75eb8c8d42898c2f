import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { escapeLike } from '../escape-like.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { ConversationStatus, FeedbackRating } from '../generated/prisma/enums.ts';
import { isId } from '../ids.ts';
import { requireInProject } from '../organizations/require-in-project.ts';
import { type Project, requireProject } from '../organizations/require-project.ts';
import { type Page, type PageInput, readPage } from '../pages.ts';

export type Conversation = Prisma.ConversationGetPayload<object>;

/** All that are given must hold. */
export interface ConversationFilter {
  readonly status?: ConversationStatus | null;
  /** Exactly as it was given to the conversation. */
  readonly endUserId?: string | null;
  /** Case-insensitive, anywhere in the text of any message. */
  readonly search?: string | null;
  /** At least one answer is rated like this. */
  readonly feedback?: FeedbackRating | null;
  /** The last message is of this moment or later. */
  readonly from?: Date | null;
  /** The last message is of this moment or earlier; before `from`, nothing is found. */
  readonly to?: Date | null;
}

/** The project's conversations, that of the newest message first; `query` says which part of them. */
export async function listConversations(
  context: Context,
  input: ConversationFilter & { readonly projectId?: string | null },
  query: Pick<Prisma.ConversationFindManyArgs, 'include' | 'cursor' | 'take' | 'skip'> = {},
): Promise<Conversation[]> {
  const project = await requireProject(context, input.projectId, 'conversations:read');
  return context.db.conversation.findMany({
    ...query,
    where: conversationsWhere(project, input),
    orderBy: newestFirst,
  });
}

/** One page of the project's conversations and how many there are in all. */
export async function pageConversations(
  context: Context,
  input: ConversationFilter & PageInput & { readonly projectId?: string | null },
): Promise<Page<Conversation>> {
  const project = await requireProject(context, input.projectId, 'conversations:read');
  const where = conversationsWhere(project, input);
  return readPage(
    input,
    (part) => context.db.conversation.findMany({ ...part, where, orderBy: newestFirst }),
    () => context.db.conversation.count({ where }),
  );
}

/**
 * A conversation, with what `query` asks for beside it. Without `projectId` it is looked for wherever the caller
 * may read. Throws what `requireProject` throws, and `NOT_FOUND` for the conversation.
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
      ? (await requireProject(context, projectId, 'conversations:read')).id
      : await requireProjectOf(context, id),
  };
  const conversation = isId(id) ? await db.conversation.findFirst({ ...query, where }) : null;
  if (conversation === null) throw notFound('Conversation');
  return conversation;
}

async function requireProjectOf(context: Context, id: string): Promise<string> {
  const { project } = await requireInProject(
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

/** The project is named for the messages too, so that the search reads none but its own. */
function conversationsWhere(
  { id: projectId }: Project,
  { status, endUserId, search, feedback, from, to }: ConversationFilter,
): Prisma.ConversationWhereInput {
  return {
    projectId,
    ...(status != null && { status }),
    ...(endUserId != null && { endUserId }),
    AND: [
      ...(search == null || search === ''
        ? []
        : [
            withMessage(projectId, {
              content: { contains: escapeLike(search), mode: 'insensitive' },
            }),
          ]),
      ...(feedback == null
        ? []
        : [withMessage(projectId, { feedback: { is: { projectId, rating: feedback } } })]),
    ],
    lastMessageAt: { gte: from ?? undefined, lte: to ?? undefined },
  };
}

function withMessage(
  projectId: string,
  message: Prisma.MessageWhereInput,
): Prisma.ConversationWhereInput {
  return { messages: { some: { projectId, ...message } } };
}
