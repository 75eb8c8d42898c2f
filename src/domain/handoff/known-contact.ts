import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
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

/**
 * Stores the contact of a handoff in its conversation, which lists, searches and exports read. For a verified end user,
 * the values of the website's page stay. Lock the conversation first.
 */
export async function storeContact(
  db: Prisma.TransactionClient,
  { projectId, conversationId }: { readonly projectId: string; readonly conversationId: string },
  { name, email }: { readonly name?: string | null; readonly email?: string | null },
): Promise<void> {
  if (name == null && email == null) return;
  await runSql(db, updateContact, [projectId, conversationId, name ?? null, email ?? null]);
}

const updateContact = `
  update grounded.conversations set
    end_user_name = case when is_end_user_verified then coalesce(end_user_name, $3::text)
      else coalesce($3::text, end_user_name) end,
    end_user_email = case when is_end_user_verified then coalesce(end_user_email, $4::text)
      else coalesce($4::text, end_user_email) end
  where project_id = $1::uuid and id = $2::uuid`;
