import { type NotionClient, NotionError } from '../../../platform/notion/notion-client.ts';
import { readPages } from './notion-pages.ts';
import { objectOf, textOf } from './notion-values.ts';

/** A block of a page, with the blocks inside it. */
export interface NotionBlock {
  readonly id: string;
  readonly type: string;
  /** Content of the block. The type of the block determines its structure. */
  readonly content: Readonly<Record<string, unknown>>;
  readonly children: readonly NotionBlock[];
  /** True if the API does not return the child blocks of this block. */
  readonly isUnreadable: boolean;
}

const maxBlocks = 10_000;
const maxLists = 1_000;
const maxDepth = 20;
/**
 * Maximum length of all blocks as JSON, in characters. As JSON, rich text is several times as long as its plain text.
 */
const maxLength = 30_000_000;

/** Child pages and rows of databases become separate documents. */
const separateTypes: ReadonlySet<string> = new Set(['child_page', 'child_database']);

/** The page exceeds a limit for reading. */
export class PageTooLarge extends Error {}

/**
 * Returns all blocks of a page.
 * @throws NotionError when a list of blocks cannot be read
 * @throws PageTooLarge when the page has too many blocks or levels
 */
export async function readBlocks(client: NotionClient, pageId: string): Promise<NotionBlock[]> {
  const count = { blocks: 0, lists: 0, length: 0 };
  const readChildren = async (parentId: string, depth: number): Promise<NotionBlock[]> => {
    if (depth > maxDepth) throw new PageTooLarge(`The page has more than ${maxDepth} levels`);
    const blocks: NotionBlock[] = [];
    const get = (query: string) => client.get(`blocks/${parentId}/children?${query}`);
    for await (const results of readPages(get)) {
      count.lists += 1;
      count.blocks += results.length;
      if (count.blocks > maxBlocks || count.lists > maxLists) {
        throw new PageTooLarge(
          `The page has more than ${maxBlocks} blocks or ${maxLists} lists of them`,
        );
      }
      for (const { id, type, has_children, ...contents } of results) {
        const name = textOf(type);
        const content = objectOf(contents[name]);
        count.length += JSON.stringify(content).length;
        if (count.length > maxLength) throw new PageTooLarge('The page is too large');
        const isNested = has_children === true && !separateTypes.has(name);
        const children = isNested ? await readNested(textOf(id), name, depth) : [];
        const isUnreadable = children === null || name === 'unsupported';
        blocks.push({
          id: textOf(id),
          type: name,
          content,
          children: children ?? [],
          isUnreadable,
        });
      }
    }
    return blocks;
  };
  /** Returns the child blocks, or null if the API does not return them. */
  const readNested = async (
    id: string,
    type: string,
    depth: number,
  ): Promise<NotionBlock[] | null> => {
    const { lists } = count;
    try {
      return await readChildren(id, depth + 1);
    } catch (error) {
      if (!(error instanceof NotionError)) throw error;
      if (count.lists === lists && isNeverSent(type, error)) return null;
      throw error.isMissing ? new NotionError('The page has changed while it was read') : error;
    }
  };
  return readChildren(pageId, 1);
}

/**
 * Returns whether the API never returns the child blocks of a block of this type. Then the page counts as complete
 * without them.
 */
function isNeverSent(type: string, { status, isMissing }: NotionError): boolean {
  // A synced block is missing if its original is not shared with the integration. Status 400 means that the API does
  // not support the block.
  return status === 400 || (isMissing && type === 'synced_block');
}
