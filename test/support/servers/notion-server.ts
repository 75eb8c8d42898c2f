import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '../../../src/platform/ids.ts';

/** A page of the stand-in. Times are rounded to minutes, as in Notion's API. */
export interface NotionTestPage {
  title: string;
  /** Parent of the page, such as `{ type: 'page_id', page_id: … }`. Default: the workspace. */
  parent?: Record<string, unknown>;
  properties?: Record<string, unknown>;
  blocks: readonly NotionTestBlock[];
  editedAt?: string;
  isInTrash?: boolean;
  /** If false, the search does not return the page. Notion's search may do this for a while after a change. */
  isListed?: boolean;
}

export interface NotionTestBlock {
  readonly id?: string;
  readonly type: string;
  readonly content: object;
  readonly children?: readonly NotionTestBlock[];
}

/**
 * A stand-in for Notion's REST API, version 2026-03-11. As in Notion's reference, it has search, pages, databases and
 * children of blocks, and result pages of at most 100 entries.
 */
export interface NotionServer {
  readonly url: string;
  readonly pages: Map<string, NotionTestPage>;
  /** Data sources by id. Each has the id of its database, and the parent of that database. */
  readonly dataSources: Map<string, { databaseId: string; parent: Record<string, unknown> }>;
  /** Returns the requests since the last call, such as `GET pages/ID`, without their parameters. */
  takeRequests(): string[];
  /** Called for each request. Returns a failure to send instead of the normal answer, or null. */
  interfere: (request: string) => NotionFailure | null;
  close(): Promise<void>;
}

export interface NotionFailure {
  readonly status: number;
  readonly retryAfter?: string;
  /** Body of the response. Default: an error. */
  readonly body?: object;
}

export const notionToken = 'ntn_integrationtoken';
const oldTime = '2026-01-05T08:00:00.000Z';

export function richText(content: string, annotations: object = {}, href: string | null = null) {
  return [{ type: 'text', plain_text: content, annotations, href }];
}

export function paragraph(content: string): NotionTestBlock {
  return { type: 'paragraph', content: { rich_text: richText(content) } };
}

export async function startNotionServer(): Promise<NotionServer> {
  let requests: string[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const url = new URL(request.url ?? '', 'http://localhost');
    const name = `${request.method} ${url.pathname.replace('/v1/', '')}`;
    requests.push(name);
    const failure = state.interfere(name) ?? headerFailure(request);
    if (failure !== null) {
      const headers = failure.retryAfter && { 'retry-after': failure.retryAfter };
      const text = JSON.stringify(failure.body ?? { object: 'error' });
      return void response.writeHead(failure.status, headers || {}).end(text);
    }
    const answer = answerTo(state, name, url.searchParams, body);
    response.writeHead(answer === null ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { object: 'error', code: 'object_not_found' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const state: NotionServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pages: new Map(),
    dataSources: new Map(),
    interfere: () => null,
    takeRequests() {
      const taken = requests;
      requests = [];
      return taken;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return state;
}

function headerFailure({ headers }: IncomingMessage): NotionFailure | null {
  if (headers.authorization !== `Bearer ${notionToken}`) return { status: 401 };
  return headers['notion-version'] === '2026-03-11' ? null : { status: 400 };
}

function answerTo(
  server: NotionServer,
  request: string,
  query: URLSearchParams,
  body: string,
): object | null {
  const [, type = '', id = '', children] =
    /^(?:GET|POST) (\w+)\/?([^/]*)(\/children)?$/.exec(request) ?? [];
  if (request === 'POST search') {
    const { start_cursor: cursor, page_size: size } = JSON.parse(body);
    const pages = [...server.pages]
      .filter(([, { isInTrash, isListed }]) => isInTrash !== true && isListed !== false)
      .map(([id, page]) => pageObject(id, page));
    pages.sort((a, b) => (a.last_edited_time < b.last_edited_time ? -1 : 1));
    const sources = [...server.dataSources.keys()].map((id) => dataSourceObject(server, id));
    return listOf([...sources, ...pages], cursor, size);
  }
  if (type === 'pages') {
    const page = server.pages.get(id);
    return page === undefined ? null : pageObject(id, page);
  }
  if (type === 'data_sources') return dataSourceObject(server, id);
  if (type === 'databases') {
    const found = [...server.dataSources.values()].find(({ databaseId }) => databaseId === id);
    return found === undefined ? null : { object: 'database', id, parent: found.parent };
  }
  if (type !== 'blocks') return null;
  if (children !== undefined) {
    const blocks = server.pages.get(id)?.blocks ?? findBlock(server, id)?.block.children;
    if (blocks === undefined) return null;
    const cursor = query.get('start_cursor') ?? undefined;
    return listOf(blocks.map(blockObject), cursor, Number(query.get('page_size')));
  }
  const found = findBlock(server, id);
  return found === null ? null : { ...blockObject(found.block), parent: found.parent };
}

function pageObject(id: string, page: NotionTestPage) {
  const { title, parent, properties, editedAt = oldTime, isInTrash = false } = page;
  return {
    ...{ object: 'page', id, in_trash: isInTrash, last_edited_time: editedAt },
    parent: parent ?? { type: 'workspace', workspace: true },
    url: `https://www.notion.so/${title.replace(/\W+/g, '-')}-${id.replaceAll('-', '')}`,
    properties: { Name: { id: 'title', type: 'title', title: richText(title) }, ...properties },
  };
}

function dataSourceObject({ dataSources }: NotionServer, id: string): object | null {
  const source = dataSources.get(id);
  if (source === undefined) return null;
  const parent = { type: 'database_id', database_id: source.databaseId };
  return { object: 'data_source', id, parent, database_parent: source.parent };
}

const blockIds = new WeakMap<NotionTestBlock, string>();

function idOf(block: NotionTestBlock): string {
  const id = block.id ?? blockIds.get(block) ?? newId();
  blockIds.set(block, id);
  return id;
}

function blockObject(block: NotionTestBlock) {
  const { type, content, children = [] } = block;
  const has_children = children.length > 0;
  return { object: 'block', id: idOf(block), type, has_children, [type]: content };
}

function findBlock({ pages }: NotionServer, id: string) {
  const search = (blocks: readonly NotionTestBlock[], parent: object): Found | null => {
    for (const block of blocks) {
      if (idOf(block) === id) return { block, parent };
      const inner = search(block.children ?? [], { type: 'block_id', block_id: idOf(block) });
      if (inner !== null) return inner;
    }
    return null;
  };
  for (const [pageId, { blocks }] of pages) {
    const found = search(blocks, { type: 'page_id', page_id: pageId });
    if (found !== null) return found;
  }
  return null;
}

interface Found {
  readonly block: NotionTestBlock;
  readonly parent: object;
}

function listOf(all: readonly unknown[], cursor = '0', size = 100): object {
  const start = Number(cursor);
  const end = start + Math.min(size, 100);
  const has_more = end < all.length;
  const results = all.slice(start, end);
  return { object: 'list', results, has_more, next_cursor: has_more ? String(end) : null };
}
