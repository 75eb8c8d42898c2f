import {
  createNotionClient,
  NotionError,
  type NotionObject,
} from '../../../platform/notion/notion-client.ts';
import { type DocumentMetadata, maxSourceUrlLength } from '../../knowledge/document-details.ts';
import {
  type Connector,
  type ItemContent,
  type ItemReader,
  SourceError,
  type SourceItem,
  type SourceReading,
} from '../connector.ts';
import { readItems } from '../items/read-items.ts';
import { listPageUrls } from '../source-pages.ts';
import { PageTooLarge, readBlocks } from './notion-blocks.ts';
import { type NotionConfig, notionFields, requireValidNotionConfig } from './notion-config.ts';
import { leftOutOf } from './notion-left-out.ts';
import { blocksToMarkdown } from './notion-markdown.ts';
import { readPages } from './notion-pages.ts';
import { propertiesToMarkdown, propertiesToMetadata, propertyValues } from './notion-properties.ts';
import { createNotionTree, type NotionTree } from './notion-tree.ts';
import { objectOf, plainText, textOf } from './notion-values.ts';

/** Connector for Notion workspaces. Pages and rows of databases become documents. */
export const notionConnector: Connector = {
  fields: notionFields,
  secretField: 'token',
  isSecretRequired: true,
  // The secret always goes to the same address, because only the operator of the service configures the address of the
  // API.
  secretTarget: () => '',
  requireValidConfig: (input, current) =>
    requireValidNotionConfig(input, current as Partial<NotionConfig>),
  read: (reading) =>
    readItems(reading, createNotionReader, (reading.source.config as NotionConfig).maxFiles),
};

/**
 * Notion rounds times to minutes, so a page may change again without getting a new time. This value also allows for
 * differences between clocks.
 */
const settledMs = 180_000;

function createNotionReader({ context, source, secret, run }: SourceReading): ItemReader {
  const { notionUrl: url, webClient, signal } = context;
  const client = createNotionClient(webClient, { url, token: secret ?? '' }, signal);
  const roots = new Set((source.config as NotionConfig).roots);
  const rows = new Set<string>();

  const versionOf = (edited: string): string => {
    const isSettled = Date.parse(edited) < run.startedAt.getTime() - settledMs;
    return isSettled ? edited : `${edited} ${run.startedAt.toISOString()}`;
  };

  /**
   * Returns the pages that the search lists. Also returns pages of earlier runs that the search does not list but that
   * still exist.
   */
  const findPages = async (tree: NotionTree): Promise<Iterable<FoundPage>> => {
    const found = new Map<string, FoundPage>();
    const take = (page: NotionObject) => {
      tree.add(page);
      const record = foundPage(page);
      found.set(record.id, record);
    };
    const sort = { timestamp: 'last_edited_time', direction: 'ascending' };
    for await (const results of readPages((_, body) => client.post('search', { ...body, sort }))) {
      for (const result of results) {
        if (result.object === 'page') take(result);
        else tree.add(result);
      }
    }
    if (found.size === 0 && roots.size === 0) {
      throw new NotionError('The integration can read no page: share pages with it in Notion');
    }
    for await (const id of listPageUrls(context, source)) {
      const page = found.has(id) ? null : await findPage(id);
      if (page !== null) take(page);
    }
    return found.values();
  };

  const findPage = async (id: string): Promise<NotionObject | null> => {
    try {
      return await client.get(`pages/${encodeURIComponent(id)}`);
    } catch (error) {
      if (error instanceof NotionError && error.isMissing) return null;
      throw error;
    }
  };

  async function* list(): AsyncGenerator<SourceItem> {
    const tree = createNotionTree(client);
    const pages = await findPages(tree);
    for (const root of roots) {
      if (await tree.exists(root)) continue;
      throw new NotionError(`${root} does not exist, or is not shared with the integration`);
    }
    for (const { id, edited, name, sourceUrl, isRow, isInTrash } of pages) {
      if (isInTrash || (roots.size > 0 && !(await tree.isBelow(id, roots)))) continue;
      if (isRow) rows.add(id);
      yield { id, version: versionOf(edited), name, sourceUrl };
    }
  }

  const readContent = async ({ id }: SourceItem): Promise<ItemContent> => {
    const values = rows.has(id)
      ? propertyValues((await client.get(`pages/${encodeURIComponent(id)}`)).properties)
      : null;
    const blocks = await readBlocks(client, id);
    const text = blocksToMarkdown(blocks);
    const leftOut = leftOutOf(blocks);
    if (values === null) return textContent(text, leftOut);
    const markdown = [propertiesToMarkdown(values), text].filter(Boolean).join('\n\n');
    return textContent(markdown, leftOut, propertiesToMetadata(values));
  };

  return {
    async *list() {
      try {
        yield* list();
      } catch (error) {
        throw error instanceof NotionError ? new SourceError(error.message) : error;
      }
    },
    async *read(items) {
      for (const item of items) yield { item, content: await orRefused(() => readContent(item)) };
    },
  };
}

async function orRefused(read: () => Promise<ItemContent>): Promise<ItemContent> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof NotionError || error instanceof PageTooLarge)) throw error;
    const isFinal = error instanceof PageTooLarge;
    const isMissing = error instanceof NotionError && error.isMissing;
    return { type: 'refused', reason: error.message, isFinal, isMissing };
  }
}

function textContent(
  markdown: string,
  leftOut: string | null,
  metadata?: DocumentMetadata,
): ItemContent {
  if (markdown.trim() !== '') return { type: 'text', markdown, metadata, leftOut };
  return { type: 'refused', reason: leftOut ?? 'The page is empty', isFinal: true };
}

interface FoundPage extends Omit<SourceItem, 'version'> {
  /** Time of the last change, as the API returns it. */
  readonly edited: string;
  /** Whether the page is a row of a database. Then its properties are read together with its blocks. */
  readonly isRow: boolean;
  readonly isInTrash: boolean;
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
