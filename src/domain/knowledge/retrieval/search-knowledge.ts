import type { Context } from '../../context.ts';
import { requireProjectId } from '../../organizations/require-project.ts';
import { parseFilter } from '../filter/parse-filter.ts';
import type { Hit } from './hybrid-search.ts';
import { retrieve } from './retrieve.ts';

const defaultSearchLimit = 5;

/**
 * Returns the chunks of the project's documents that best match a query, best first.
 *
 * @throws DomainError from `parseFilter` and `requireProjectId`.
 */
export async function searchKnowledge(
  context: Context,
  input: {
    readonly projectId?: string | null;
    readonly query: string;
    readonly limit?: number | null;
    /** Filter of the documents to search, as JSON (`parseFilter`). */
    readonly filter?: unknown;
  },
): Promise<readonly Hit[]> {
  const filter = parseFilter(input.filter);
  const projectId = await requireProjectId(context, input.projectId, 'knowledge:read');
  const { hits, tokens } = await retrieve(context, {
    projectId,
    query: input.query,
    limit: input.limit ?? defaultSearchLimit,
    measuresMeaning: false,
    filter,
  });
  context.tokenCounter.add(projectId, tokens);
  return hits;
}
