import { DomainError, notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { type Context, transaction } from '../context.ts';
import { appendInboxEvent } from './append-inbox-event.ts';
import { latestFirst } from './handoffs.ts';
import { lockConversation } from './lock-conversation.ts';
import { type HandoffAccess, requireConversationAccess } from './require-handoff-access.ts';

/** An internal note of the team on a conversation. End users, models and webhooks never receive it. */
export type ConversationNote = Prisma.ConversationNoteGetPayload<object>;

interface ConversationTarget {
  readonly conversationId: string;
  /** Project that the conversation must belong to. */
  readonly projectId?: string | null;
}

interface NewNote extends ConversationTarget {
  /** E-mail address of the member who counts as the author, if an API key writes the note. */
  readonly agent?: string | null;
  readonly content: string;
  /** UUIDv7 chosen by the caller, which makes retries idempotent. */
  readonly noteId?: string | null;
}

const maxNotes = 200;

/**
 * Returns all notes of a conversation, oldest first. A conversation has at most 200 notes.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when the conversation does not exist.
 */
export async function listConversationNotes(
  context: Context,
  target: ConversationTarget,
): Promise<ConversationNote[]> {
  const { projectId, conversationId } = await requireConversationAccess(context, target);
  return context.db.conversationNote.findMany({
    where: { projectId, conversationId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}

/**
 * Adds a note to a conversation, and notifies the inbox. If the caller has already added a note with this `noteId` to
 * the conversation, that note is returned unchanged.
 *
 * @throws DomainError from `requireProject` and `resolveAgent`.
 * @throws DomainError NOT_FOUND when the conversation does not exist, or `noteId` belongs to a note of another
 *   conversation.
 * @throws DomainError CONFLICT when the conversation has 200 notes, or another author has added a note with this
 *   `noteId`.
 */
export async function addConversationNote(
  context: Context,
  { content, noteId, ...target }: NewNote,
): Promise<ConversationNote> {
  const access = await requireConversationAccess(context, target);
  const { projectId, conversationId, operator: author } = access;
  return transaction(context, async (context) => {
    const { db } = context;
    await lockConversation(db, projectId, conversationId);
    const id = noteId ?? newId();
    const where = { id, projectId, conversationId };
    const existing = await db.conversationNote.findFirst({ where });
    if (existing?.author === author) return existing;
    if (existing !== null) {
      throw new DomainError('CONFLICT', 'noteId is the id of another note');
    }
    const note = await insertNote(db, access, { id, content });
    const handoff = await db.handoff.findFirst({
      where: { projectId, conversationId },
      orderBy: [...latestFirst],
      select: { id: true },
    });
    if (handoff !== null) {
      await appendInboxEvent(db, { projectId, type: 'MESSAGE', handoffId: handoff.id });
    }
    return note;
  });
}

/**
 * Inserts a note. The caller must hold the lock of the conversation (`lockConversation`). Does not update the
 * conversation's row, because each update of that row is sent to the end user.
 */
export async function insertNote(
  db: Prisma.TransactionClient,
  { projectId, conversationId, operator: author }: HandoffAccess,
  { id, content }: { readonly id: string; readonly content: string },
): Promise<ConversationNote> {
  if ((await db.conversationNote.count({ where: { projectId, conversationId } })) >= maxNotes) {
    throw new DomainError('CONFLICT', `A conversation has at most ${maxNotes} notes`);
  }
  const row = { id, projectId, conversationId, author, content, createdAt: new Date() };
  const [note] = await db.conversationNote.createManyAndReturn({
    data: [row],
    skipDuplicates: true,
  });
  if (note === undefined) throw notFound('Note');
  return note;
}
