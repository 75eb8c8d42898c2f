import {
  type NotionClient,
  NotionError,
  type NotionObject,
} from '../../../platform/notion/notion-client.ts';
import { objectOf, textOf } from './notion-values.ts';

type NodeKind = 'page' | 'block' | 'database' | 'data_source';

interface NodeRef {
  readonly kind: NodeKind;
  readonly id: string;
}

/** Finds out the parents of a page: other pages, blocks, databases and data sources of databases. */
export interface NotionTree {
  /** Stores the parent of a page or a data source that the API has returned. */
  add(object: NotionObject): void;
  /**
   * Returns whether the page is one of `roots` or below one of them.
   * @throws NotionError when a parent cannot be determined. A wrong result would delete documents, because pages
   *   outside the roots lose their documents
   */
  isBelow(pageId: string, roots: ReadonlySet<string>): Promise<boolean>;
  /** Returns whether the integration can read a page or a database with this id. */
  exists(id: string): Promise<boolean>;
}

const maxLevels = 100;
const paths: Readonly<Record<NodeKind, string>> = {
  ...{ page: 'pages', block: 'blocks', database: 'databases', data_source: 'data_sources' },
};

/** Types of parents that have no parent themselves: the workspace, and agents, because their instructions are pages. */
const topTypes: ReadonlySet<string> = new Set(['workspace', 'agent_id']);

export function createNotionTree(client: NotionClient): NotionTree {
  /** Parent of each object, by id. Null: the object is at the top, or its parent is not shared with the integration. */
  const parents = new Map<string, NodeRef | null>();

  const setParent = (id: string, parent: unknown): void => {
    const ref = parentRef(parent);
    if (ref !== undefined) parents.set(id, ref);
  };

  const add = ({ id, object, parent, database_parent }: NotionObject): void => {
    setParent(textOf(id), parent);
    const { type, data_source_id, database_id } = objectOf(parent);
    // A data source also contains the parent of its database. A row also contains the database of its data source.
    const own = parentRef(parent);
    if (object === 'data_source' && own?.kind === 'database') setParent(own.id, database_parent);
    const isRow = type === 'data_source_id' && typeof database_id === 'string';
    const source = textOf(data_source_id);
    if (isRow && !parents.has(source)) parents.set(source, { kind: 'database', id: database_id });
  };

  /** Returns whether the object exists and is shared with the integration. */
  const read = async ({ kind, id }: NodeRef): Promise<boolean> => {
    try {
      add({ ...(await client.get(`${paths[kind]}/${encodeURIComponent(id)}`)), id });
      return true;
    } catch (error) {
      if (error instanceof NotionError && error.isMissing) return false;
      throw error;
    }
  };

  const parentOf = async (node: NodeRef): Promise<NodeRef | null> => {
    if (!parents.has(node.id) && !(await read(node))) parents.set(node.id, null);
    const parent = parents.get(node.id);
    if (parent !== undefined) return parent;
    throw new NotionError(`Notion has not sent the parent of the ${node.kind} ${node.id}`);
  };

  return {
    add,
    async isBelow(pageId, roots) {
      let node: NodeRef | null = { kind: 'page', id: pageId };
      for (let level = 0; level < maxLevels; level += 1) {
        if (roots.has(node.id)) return true;
        node = await parentOf(node);
        if (node === null) return false;
      }
      throw new NotionError(`The page ${pageId} is below more than ${maxLevels} others`);
    },
    async exists(id) {
      if (parents.get(id) != null) return true;
      for (const kind of ['page', 'database', 'data_source'] as const) {
        if (await read({ kind, id }).catch(falseForOtherKind)) return true;
      }
      return false;
    },
  };
}

/**
 * Returns false for status 400: Notion responds with 400 if the id belongs to an object of another kind. Throws all
 * other errors.
 */
function falseForOtherKind(error: unknown): boolean {
  if (error instanceof NotionError && error.status === 400) return false;
  throw error;
}

/** Returns the parent, null if the object is at the top, or undefined if the parent is unknown. */
function parentRef(parent: unknown): NodeRef | null | undefined {
  const { type, ...ids } = objectOf(parent);
  const name = textOf(type);
  if (topTypes.has(name)) return null;
  const kind = name.replace(/_id$/, '');
  const id = textOf(ids[name]);
  return id !== '' && Object.hasOwn(paths, kind) ? { kind: kind as NodeKind, id } : undefined;
}
