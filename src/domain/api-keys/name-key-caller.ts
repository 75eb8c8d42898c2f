import type { ApiKeyCaller } from '../caller.ts';
import type { Context } from '../context.ts';

/**
 * Returns `key:` and the name of the calling API key, for records of who did something. A rotated key has the same name
 * as before. No e-mail address contains a colon, so the name cannot be that of a member.
 */
export async function nameKeyCaller(
  { db }: Pick<Context, 'db'>,
  { keyId, organizationId }: ApiKeyCaller,
): Promise<string> {
  const where = { id: keyId, organizationId };
  const { name } = await db.apiKey.findFirstOrThrow({ where, select: { name: true } });
  return `key:${name}`;
}
