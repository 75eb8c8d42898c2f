import type { TadaDocumentNode } from 'gql.tada';
import { useCallback, useEffect, useState } from 'react';
import { type CombinedError, useClient } from 'urql';

interface Connection<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

interface List<Node> {
  readonly nodes: readonly Node[];
  readonly endCursor: string | null;
  readonly hasMore: boolean;
  readonly error: CombinedError | undefined;
  readonly isLoading: boolean;
}

const empty = { nodes: [], endCursor: null, hasMore: false, error: undefined, isLoading: true };

/**
 * A list that grows page by page. `reload` begins again with the first page; what is shown stays until it is there.
 * `pick` finds the connection in the answer; it must be the same function each time.
 */
export function useConnection<Data, Variables extends Record<string, unknown>, Node>(
  document: TadaDocumentNode<Data, Variables>,
  variables: Omit<Variables, 'after'>,
  pick: (data: Data) => Connection<Node>,
): Omit<List<Node>, 'endCursor'> & { loadMore(): void; reload(): void } {
  const client = useClient();
  const [list, setList] = useState<List<Node>>(empty);
  const [round, setRound] = useState(0);
  const key = JSON.stringify(variables);

  const load = useCallback(
    async (after: string | null, isWanted: () => boolean) => {
      const all = { ...JSON.parse(key), after } as Variables;
      const { data, error } = await client.query(document, all, { requestPolicy: 'network-only' });
      if (!isWanted()) return;
      if (data === undefined) {
        setList((list) => ({ ...list, error, isLoading: false }));
        return;
      }
      const { edges, pageInfo } = pick(data);
      setList((list) => ({
        nodes: [...(after === null ? [] : list.nodes), ...edges.map(({ node }) => node)],
        endCursor: pageInfo.endCursor,
        hasMore: pageInfo.hasNextPage,
        error: undefined,
        isLoading: false,
      }));
    },
    [client, document, key, pick],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list must not show the last one's rows
  useEffect(() => setList(empty), [document, key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round loads anew
  useEffect(() => {
    let isWanted = true;
    void load(null, () => isWanted);
    return () => {
      isWanted = false;
    };
  }, [load, round]);

  const { endCursor, ...shown } = list;
  return {
    ...shown,
    loadMore: () => void load(endCursor, () => true),
    reload: useCallback(() => setRound((round) => round + 1), []),
  };
}
