import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { latestFirst } from './handoffs.ts';

/** Name and e-mail address of an end user. Each is null if it is unknown. */
export interface Contact {
  readonly name: string | null;
  readonly email: string | null;
}

/**
 * Returns the contact details that the end user gave in an earlier handoff of the same conversation, or of another
 * conversation with the same `endUserId`.
 */
export async function readKnownContact(
  db: Prisma.TransactionClient,
  projectId: string,
  {
    conversationId,
    endUserId,
  }: { readonly conversationId: string; readonly endUserId: string | null },
): Promise<Contact> {
  const isSameUser = { conversation: { is: { projectId, endUserId } } };
  const known = await db.handoff.findFirst({
    where: {
      projectId,
      AND: [
        { OR: [{ conversationId }, ...(endUserId === null ? [] : [isSameUser])] },
        { OR: [{ name: { not: null } }, { email: { not: null } }] },
      ],
    },
    orderBy: [...latestFirst],
    select: { name: true, email: true },
  });
  return known ?? { name: null, email: null };
}
