import type { ResultOf } from 'gql.tada';
import { useCallback, useEffect, useState } from 'react';
import { type CombinedError, useClient } from 'urql';
import { graphql } from '../graphql/graphql.ts';
import { useProject } from '../project/project.tsx';

const documentChunksQuery = graphql(`
  query DocumentChunks(
    $projectId: ID!
    $documentId: ID!
    $around: ID
    $page: Int
    $first: Int
    $after: String
    $last: Int
    $before: String
  ) {
    documentChunks(
      projectId: $projectId
      documentId: $documentId
      around: $around
      page: $page
      first: $first
      after: $after
      last: $last
      before: $before
    ) {
      edges {
        cursor
        node {
          id
          position
          page
          content
          context
          tokenCount
        }
      }
      pageInfo {
        hasNextPage
      }
    }
  }
`);

type Edge = ResultOf<typeof documentChunksQuery>['documentChunks']['edges'][number];

interface ChunksState {
  readonly edges: readonly Edge[];
  readonly hasLater: boolean;
  readonly isLoaded: boolean;
  readonly error: CombinedError | undefined;
}

const chunksPerRequest = 30;
const emptyChunks: ChunksState = { edges: [], hasLater: false, isLoaded: false, error: undefined };

export type LoadedChunk = Edge['node'];

/**
 * Loads the chunks near `chunkId`, or from page `page` on, or from the first chunk on. Loads earlier and later chunks
 * on request.
 */
export function useDocumentChunks(
  documentId: string,
  chunkId: string | null,
  page: number | null = null,
) {
  const client = useClient();
  const { id: projectId } = useProject();
  const [chunks, setChunks] = useState(emptyChunks);

  const loadPage = useCallback(
    async (
      anchor:
        | { around: string | null; page: number | null }
        | { after: string }
        | { before: string },
      isCurrent: () => boolean = () => true,
    ) => {
      const size = 'before' in anchor ? { last: chunksPerRequest } : { first: chunksPerRequest };
      const variables = { projectId, documentId, ...size, ...anchor };
      const options = { requestPolicy: 'network-only' } as const;
      const { data, error } = await client.query(documentChunksQuery, variables, options);
      if (!isCurrent()) return;
      setChunks((previous) => {
        // Null if the response contains only errors.
        if (!data) return { ...previous, error, isLoaded: true };
        const { edges, pageInfo } = data.documentChunks;
        const rest = { isLoaded: true, error: undefined };
        // A double click loads the same page twice, so ignore the second response.
        if ('before' in anchor && anchor.before !== previous.edges[0]?.cursor) return previous;
        if ('after' in anchor && anchor.after !== previous.edges.at(-1)?.cursor) return previous;
        if ('before' in anchor)
          return { ...previous, ...rest, edges: [...edges, ...previous.edges] };
        const before = 'after' in anchor ? previous.edges : [];
        return { ...rest, edges: [...before, ...edges], hasLater: pageInfo.hasNextPage };
      });
    },
    [client, projectId, documentId],
  );

  const [reloadCount, setReloadCount] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a reload changes reloadCount
  useEffect(() => {
    let isCurrent = true;
    void loadPage({ around: chunkId, page }, () => isCurrent);
    return () => {
      isCurrent = false;
    };
  }, [loadPage, chunkId, page, reloadCount]);

  const { edges, ...rest } = chunks;
  const first = edges[0];
  const last = edges.at(-1);
  return {
    ...rest,
    nodes: edges.map(({ node }) => node),
    hasEarlier: first !== undefined && first.node.position > 0,
    loadEarlier: () => first && loadPage({ before: first.cursor }),
    loadLater: () => last && loadPage({ after: last.cursor }),
    reload: useCallback(() => setReloadCount((count) => count + 1), []),
  };
}
