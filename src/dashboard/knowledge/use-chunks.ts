import type { ResultOf } from 'gql.tada';
import { useCallback, useEffect, useState } from 'react';
import { type CombinedError, useClient } from 'urql';
import { graphql } from '../graphql/graphql.ts';
import { useProject } from '../shell/project.tsx';

const chunksQuery = graphql(`
  query DocumentChunks(
    $projectId: ID!
    $documentId: ID!
    $around: ID
    $first: Int
    $after: String
    $last: Int
    $before: String
  ) {
    documentChunks(
      projectId: $projectId
      documentId: $documentId
      around: $around
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
          tokenCount
        }
      }
      pageInfo {
        hasNextPage
      }
    }
  }
`);

type Edge = ResultOf<typeof chunksQuery>['documentChunks']['edges'][number];

interface Chunks {
  readonly edges: readonly Edge[];
  readonly hasLater: boolean;
  readonly isLoaded: boolean;
  readonly error: CombinedError | undefined;
}

const pageSize = 30;
const nothing: Chunks = { edges: [], hasLater: false, isLoaded: false, error: undefined };

/** A document's chunks from the one that is looked for, else from the first, on and back. */
export function useChunks(documentId: string, chunkId: string | null) {
  const client = useClient();
  const { id: projectId } = useProject();
  const [chunks, setChunks] = useState(nothing);

  const read = useCallback(
    async (
      place: { around: string | null } | { after: string } | { before: string },
      isWanted: () => boolean = () => true,
    ) => {
      const size = 'before' in place ? { last: pageSize } : { first: pageSize };
      const variables = { projectId, documentId, ...size, ...place };
      const options = { requestPolicy: 'network-only' } as const;
      const { data, error } = await client.query(chunksQuery, variables, options);
      if (!isWanted()) return;
      setChunks((old) => {
        if (data === undefined) return { ...old, error, isLoaded: true };
        const { edges, pageInfo } = data.documentChunks;
        const rest = { isLoaded: true, error: undefined };
        // Asked for twice, as by a double click, it is here already.
        if ('before' in place && place.before !== old.edges[0]?.cursor) return old;
        if ('after' in place && place.after !== old.edges.at(-1)?.cursor) return old;
        if ('before' in place) return { ...old, ...rest, edges: [...edges, ...old.edges] };
        const before = 'after' in place ? old.edges : [];
        return { ...rest, edges: [...before, ...edges], hasLater: pageInfo.hasNextPage };
      });
    },
    [client, projectId, documentId],
  );

  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round reads anew
  useEffect(() => {
    let isWanted = true;
    void read({ around: chunkId }, () => isWanted);
    return () => {
      isWanted = false;
    };
  }, [read, chunkId, round]);

  const { edges, ...rest } = chunks;
  const first = edges[0];
  const last = edges.at(-1);
  return {
    ...rest,
    nodes: edges.map(({ node }) => node),
    hasEarlier: first !== undefined && first.node.position > 0,
    readEarlier: () => first && read({ before: first.cursor }),
    readLater: () => last && read({ after: last.cursor }),
    readAgain: useCallback(() => setRound((round) => round + 1), []),
  };
}
