import type { ApiKeyCaller } from '../caller.ts';
import type { Context } from '../context.ts';

/**
 * Returns `key:` and the name of the calling API key. Records store this text as the author of a change. A key keeps
 * its name when it is rotated. E-mail addresses contain no colon, so the text is never the address of a member.
 */
export async function nameKeyCaller(
  { db }: Pick<Context, 'db'>,
  { keyId, organizationId }: ApiKeyCaller,
): Promise<string> {
  const where = { id: keyId, organizationId };
  const { name } = await db.apiKey.findFirstOrThrow({ where, select: { name: true } });
  return `key:${name}`;
}
