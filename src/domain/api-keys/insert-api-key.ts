import { hashSecret } from '../../platform/hash-secret.ts';
import { newId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { ApiKeyScope } from '../../platform/postgres/generated/prisma/enums.ts';
import type { Context } from '../context.ts';
import { generateApiKey, keyPreview } from './api-key-format.ts';
import { nameKeyCaller } from './name-key-caller.ts';

/** A new API key and its secret. Only a hash of the secret is stored, so the secret cannot be read again later. */
export interface NewApiKey {
  readonly secret: string;
  readonly apiKey: Prisma.ApiKeyGetPayload<object>;
}

export async function insertApiKey(
  context: Context,
  {
    filter,
    ...data
  }: Pick<
    Prisma.ApiKeyUncheckedCreateInput,
    'organizationId' | 'projectId' | 'name' | 'expiresAt' | 'creatorKeyId'
  > & { readonly scopes: ApiKeyScope[]; readonly filter: object | null },
): Promise<NewApiKey> {
  const secret = generateApiKey();
  const apiKey = await context.db.apiKey.create({
    data: {
      id: newId(),
      ...data,
      ...(filter !== null && { filter }),
      hash: hashSecret(secret),
      ...keyPreview(secret),
      createdBy: await nameCreator(context),
    },
  });
  return { secret, apiKey };
}

async function nameCreator(context: Context): Promise<string> {
  const { caller } = context;
  if (caller.type === 'key') return nameKeyCaller(context, caller);
  return caller.type === 'operator' ? (caller.email ?? caller.userId) : caller.type;
}
