import type { TadaDocumentNode } from 'gql.tada';
import { useEffect, useMemo, useState } from 'react';
import { type CombinedError, type OperationResult, useClient } from 'urql';
import { coalesceReloads } from './coalesce-reloads.ts';
import { reloadOptions } from './fetch-with-timeout.ts';

interface Connection<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

interface PaginatedList<Node> {
  readonly nodes: readonly Node[];
  readonly hasMore: boolean;
  readonly error: CombinedError | undefined;
  /** Whether the first page is loading. */
  readonly isLoading: boolean;
}

const emptyList = { nodes: [], hasMore: false, error: undefined, isLoading: true };

/**
 * A list that loads further pages on request. `reload` reads all loaded pages again. Until they arrive, the old list is
 * shown.
 * @param selectConnection Returns the connection of a response. It must be the same function in each render.
 */
export function usePaginatedQuery<Data, Variables extends Record<string, unknown>, Node>(
  document: TadaDocumentNode<Data, Variables>,
  variables: Omit<Variables, 'after'>,
  selectConnection: (data: Data) => Connection<Node>,
): PaginatedList<Node> & { loadMore(): void; reload(): void } {
  const client = useClient();
  const [list, setList] = useState<PaginatedList<Node>>(emptyList);
  const key = JSON.stringify(variables);
  const loader = useMemo(() => {
    const load = (after: string | null) => {
      const all = { ...JSON.parse(key), after } as Variables;
      return client.query(document, all, reloadOptions).toPromise();
    };
    return createPageLoader(load, selectConnection, setList);
  }, [client, document, key, selectConnection]);
  useEffect(() => {
    // The variables changed, so remove the rows that were loaded with the old variables.
    setList(emptyList);
    return loader.open();
  }, [loader]);
  return { ...list, loadMore: loader.loadMore, reload: loader.reload };
}

function createPageLoader<Data, Node>(
  load: (after: string | null) => Promise<OperationResult<Data>>,
  selectConnection: (data: Data) => Connection<Node>,
  setList: (change: (list: PaginatedList<Node>) => PaginatedList<Node>) => void,
) {
  let isOpen = false;
  let pageCount = 1;
  const reload = coalesceReloads(async () => {
    const nodes: Node[] = [];
    let after: string | null = null;
    for (let page = 1; page <= pageCount; page++) {
      const { data, error }: OperationResult<Data> = await load(after);
      if (!isOpen) return;
      if (data == null) {
        setList((list) => ({ ...list, error, isLoading: false }));
        return error;
      }
      const { edges, pageInfo } = selectConnection(data);
      nodes.push(...edges.map(({ node }) => node));
      after = pageInfo.endCursor;
      const hasMore = pageInfo.hasNextPage;
      if (page < pageCount && hasMore) continue;
      setList(() => ({ nodes, hasMore, error: undefined, isLoading: false }));
      return;
    }
    return;
  });
  return {
    open() {
      isOpen = true;
      reload();
      return () => {
        isOpen = false;
        reload.stop();
      };
    },
    reload,
    loadMore() {
      pageCount += 1;
      reload();
    },
  };
}
