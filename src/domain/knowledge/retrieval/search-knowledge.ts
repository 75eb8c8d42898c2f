import type { Context } from '../../context.ts';
import { requireProject } from '../../organizations/require-project.ts';
import { countEmbeddingTokens } from '../../usage/count-embedding-tokens.ts';
import type { Hit } from './hybrid-search.ts';
import { retrieve } from './retrieve.ts';

const defaultSearchLimit = 5;

/**
 * Returns the chunks of the project's documents that best match a query, best first.
 *
 * @throws DomainError from `requireProject`.
 */
export async function searchKnowledge(
  context: Context,
  input: {
    readonly projectId?: string | null;
    readonly query: string;
    readonly limit?: number | null;
  },
): Promise<readonly Hit[]> {
  const project = await requireProject(context, input.projectId, 'knowledge:read');
  const { hits, embeddingTokens } = await retrieve(context, {
    projectId: project.id,
    query: input.query,
    limit: input.limit ?? defaultSearchLimit,
  });
  await countEmbeddingTokens(context, project.id, embeddingTokens);
  return hits;
}
