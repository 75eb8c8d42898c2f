import type { Context } from '../context.ts';
import { countTokens } from './count-tokens.ts';

/** Adds embedding tokens to the usage of the current month and day, for the organization that owns the project. */
export async function countEmbeddingTokens(
  context: Pick<Context, 'database' | 'caller'>,
  projectId: string,
  embeddingTokens: number,
): Promise<void> {
  await countTokens(context, projectId, { inputTokens: 0, outputTokens: 0, embeddingTokens });
}
