import { NotionError, type NotionObject } from '../../../platform/notion/notion-client.ts';
import { objectsOf, textOf } from './notion-values.ts';

const maxRequests = 500;

/**
 * Yields the results of a list, one response at a time. `get` receives the parameters of the next request.
 * @throws NotionError when the list is not complete
 */
export async function* readPages(
  get: (query: string, body: Readonly<Record<string, unknown>>) => Promise<NotionObject>,
): AsyncGenerator<readonly NotionObject[]> {
  let cursor = '';
  for (let requests = 0; requests < maxRequests; requests += 1) {
    const parameters = { page_size: '100', ...(cursor !== '' && { start_cursor: cursor }) };
    const { results, has_more, next_cursor } = await get(
      new URLSearchParams(parameters).toString(),
      { ...parameters, page_size: 100 },
    );
    if (!Array.isArray(results) || typeof has_more !== 'boolean') {
      throw new NotionError('Notion has not sent a complete list');
    }
    yield objectsOf(results);
    if (!has_more) return;
    const next = textOf(next_cursor);
    if (next === '' || next === cursor)
      throw new NotionError('Notion has not sent a complete list');
    cursor = next;
  }
  throw new NotionError('Notion has a list of more than 50,000 entries');
}
