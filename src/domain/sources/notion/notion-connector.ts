import { createNotionClient, NotionError } from '../../../platform/notion/notion-client.ts';
import type { DocumentMetadata } from '../../knowledge/document-details.ts';
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
import { propertiesToMarkdown, propertiesToMetadata, propertyValues } from './notion-properties.ts';
import { createNotionTree } from './notion-tree.ts';
import { findPage, searchPages } from './search-pages.ts';

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

  async function* list(): AsyncGenerator<SourceItem> {
    const tree = createNotionTree(client);
    const pages = await searchPages(client, tree);
    if (pages.size === 0 && roots.size === 0) {
      throw new NotionError('The integration can read no page: share pages with it in Notion');
    }
    // The search does not list all pages of earlier runs that still exist.
    for await (const id of listPageUrls(context, source)) {
      const page = pages.has(id) ? null : await findPage(client, tree, id);
      if (page !== null) pages.set(page.id, page);
    }
    for (const root of roots) {
      if (await tree.exists(root)) continue;
      throw new NotionError(`${root} does not exist, or is not shared with the integration`);
    }
    for (const { id, edited, name, sourceUrl, isRow, isInTrash } of pages.values()) {
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
