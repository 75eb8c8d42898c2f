import {
  type NotionClient,
  NotionError,
  type NotionObject,
} from '../../../platform/notion/notion-client.ts';
import { maxSourceUrlLength } from '../../knowledge/document-details.ts';
import type { SourceItem } from '../connector.ts';
import { readPages } from './notion-pages.ts';
import type { NotionTree } from './notion-tree.ts';
import { objectOf, plainText, textOf } from './notion-values.ts';

interface FoundPage extends Omit<SourceItem, 'version'> {
  /** Time of the last change, as the API returns it. */
  readonly edited: string;
  /** Whether the page is a row of a database. Then its properties are read together with its blocks. */
  readonly isRow: boolean;
  readonly isInTrash: boolean;
}

/** Returns the pages that the search lists, by id, and adds the results of the search to the tree. */
export async function searchPages(
  client: NotionClient,
  tree: NotionTree,
): Promise<Map<string, FoundPage>> {
  const found = new Map<string, FoundPage>();
  const sort = { timestamp: 'last_edited_time', direction: 'ascending' };
  for await (const results of readPages((_, body) => client.post('search', { ...body, sort }))) {
    for (const result of results) {
      tree.add(result);
      if (result.object !== 'page') continue;
      const page = foundPage(result);
      found.set(page.id, page);
    }
  }
  return found;
}

/** Returns a page and adds it to the tree. Returns null if it does not exist or is not shared with the integration. */
export async function findPage(
  client: NotionClient,
  tree: NotionTree,
  id: string,
): Promise<FoundPage | null> {
  try {
    const page = await client.get(`pages/${encodeURIComponent(id)}`);
    tree.add(page);
    return foundPage(page);
  } catch (error) {
    if (error instanceof NotionError && error.isMissing) return null;
    throw error;
  }
}

function foundPage(page: NotionObject): FoundPage {
  const { id, last_edited_time, parent, in_trash, archived, is_archived } = page;
  const edited = textOf(last_edited_time);
  if (!/^[0-9a-f-]{32,36}$/.test(textOf(id)) || Number.isNaN(Date.parse(edited))) {
    throw new NotionError('Notion has sent a page without an id or a time');
  }
  return {
    ...{ id: textOf(id), edited, name: titleOf(page), sourceUrl: addressOf(page) },
    isRow: ['data_source_id', 'database_id'].includes(textOf(objectOf(parent).type)),
    isInTrash: [in_trash, archived, is_archived].includes(true),
  };
}

const maxTitleLength = 1_000;

function titleOf({ properties }: NotionObject): string {
  const title = Object.values(objectOf(properties))
    .map(objectOf)
    .find(({ type }) => type === 'title');
  return plainText(title?.title).trim().slice(0, maxTitleLength) || 'Untitled';
}

function addressOf({ url }: NotionObject): string | null {
  const address = textOf(url);
  const isStorable = /^https:\/\/[^\s\p{Cc}]+$/u.test(address) && URL.canParse(address);
  return isStorable && address.length <= maxSourceUrlLength ? address : null;
}
