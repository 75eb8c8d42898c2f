import type { TadaDocumentNode } from 'gql.tada';
import { useEffect, useMemo, useState } from 'react';
import { type CombinedError, type OperationResult, useClient } from 'urql';
import { createRefresh } from './refresh.ts';

interface Connection<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

interface List<Node> {
  readonly nodes: readonly Node[];
  readonly hasMore: boolean;
  readonly error: CombinedError | undefined;
  /** For the first time: there is nothing to show yet. */
  readonly isLoading: boolean;
}

const empty = { nodes: [], hasMore: false, error: undefined, isLoading: true };

/**
 * A list that grows page by page. `reload` reads anew as many pages as there are; what is shown stays until they are
 * there. `pick` finds the connection in the answer; it must be the same function each time.
 */
export function useConnection<Data, Variables extends Record<string, unknown>, Node>(
  document: TadaDocumentNode<Data, Variables>,
  variables: Omit<Variables, 'after'>,
  pick: (data: Data) => Connection<Node>,
): List<Node> & { loadMore(): void; reload(): void } {
  const client = useClient();
  const [list, setList] = useState<List<Node>>(empty);
  const key = JSON.stringify(variables);
  const source = useMemo(() => {
    const load = (after: string | null) => {
      const all = { ...JSON.parse(key), after } as Variables;
      return client.query(document, all, { requestPolicy: 'network-only' }).toPromise();
    };
    return createSource(load, pick, setList);
  }, [client, document, key, pick]);
  useEffect(() => {
    // Another list must not show the last one's rows.
    setList(empty);
    return source.open();
  }, [source]);
  return { ...list, loadMore: source.loadMore, reload: source.reload };
}

function createSource<Data, Node>(
  load: (after: string | null) => Promise<OperationResult<Data>>,
  pick: (data: Data) => Connection<Node>,
  show: (change: (list: List<Node>) => List<Node>) => void,
) {
  let isOpen = false;
  let wanted = 1;
  const reload = createRefresh(async () => {
    const nodes: Node[] = [];
    let after: string | null = null;
    for (let page = 1; page <= wanted; page++) {
      const { data, error }: OperationResult<Data> = await load(after);
      if (!isOpen) return;
      if (data == null) {
        show((list) => ({ ...list, error, isLoading: false }));
        return;
      }
      const { edges, pageInfo } = pick(data);
      nodes.push(...edges.map(({ node }) => node));
      after = pageInfo.endCursor;
      const hasMore = pageInfo.hasNextPage;
      if (page < wanted && hasMore) continue;
      show(() => ({ nodes, hasMore, error: undefined, isLoading: false }));
      return;
    }
  });
  return {
    open() {
      isOpen = true;
      reload();
      return () => {
        isOpen = false;
      };
    },
    reload,
    loadMore() {
      wanted += 1;
      reload();
    },
  };
}
