import type { ResultOf } from 'gql.tada';
import { useEffect, useMemo, useState } from 'react';
import { type Client, type CombinedError, useClient } from 'urql';
import { graphql } from '../graphql/graphql.ts';
import { createRefresh } from '../graphql/refresh.ts';
import { useProject } from '../shell/project.tsx';
import { messageFields, type TranscriptMessage } from './transcript.tsx';

const transcriptQuery = graphql(
  `
    query TranscriptPart($projectId: ID!, $conversationId: ID!, $before: String) {
      conversation(projectId: $projectId, id: $conversationId) {
        id
        title
        status
        endUserId
        messageCount
        createdAt
        handoff {
          id
          status
          name
          email
          reason
          requestedAt
          claimedBy
          resolvedAt
        }
        messages(last: 50, before: $before) {
          edges {
            node {
              ...MessageFields
            }
          }
          pageInfo {
            hasPreviousPage
            startCursor
          }
        }
      }
    }
  `,
  [messageFields],
);

type ReadConversation = NonNullable<ResultOf<typeof transcriptQuery>['conversation']>;

interface Shown {
  readonly conversation: Omit<ReadConversation, 'messages'> | null;
  /** The latest of all, oldest first. */
  readonly messages: readonly TranscriptMessage[];
  readonly start: ReadConversation['messages']['pageInfo'];
  readonly error: CombinedError | undefined;
  readonly isLoadingEarlier: boolean;
}

const nothing: Shown = {
  conversation: null,
  messages: [],
  start: { hasPreviousPage: false, startCursor: null },
  error: undefined,
  isLoadingEarlier: false,
};

/** A conversation and its messages, from the latest backwards in parts. `reload` brings what is new since. */
export function useTranscript(conversationId: string) {
  const client = useClient();
  const { id: projectId } = useProject();
  const [shown, setShown] = useState(nothing);
  const source = useMemo(
    () => createSource(client, { projectId, conversationId }, setShown),
    [client, projectId, conversationId],
  );
  useEffect(() => {
    setShown(nothing);
    return source.open();
  }, [source]);
  const { start, ...rest } = shown;
  return {
    ...rest,
    hasEarlier: start.hasPreviousPage,
    reload: source.reload,
    loadEarlier: () => source.loadEarlier(start.startCursor),
  };
}

function createSource(
  client: Client,
  place: { readonly projectId: string; readonly conversationId: string },
  show: (change: (shown: Shown) => Shown) => void,
) {
  let isOpen = false;
  const read = async (
    before: string | null,
    change: (shown: Shown, part: ReadConversation) => Shown,
  ) => {
    const variables = { ...place, before };
    const options = { requestPolicy: 'network-only' } as const;
    const { data, error } = await client.query(transcriptQuery, variables, options).toPromise();
    if (!isOpen) return;
    const part = data?.conversation;
    show((shown) => {
      const rest = { ...shown, isLoadingEarlier: false };
      return part == null ? { ...rest, error } : { ...change(rest, part), error: undefined };
    });
  };
  const reload = createRefresh(() => read(null, withLatest));
  return {
    reload,
    open() {
      isOpen = true;
      reload();
      return () => {
        isOpen = false;
      };
    },
    loadEarlier(before: string | null) {
      show((shown) => ({ ...shown, isLoadingEarlier: true }));
      void read(before, withEarlier);
    },
  };
}

/** Where so much is new that there would be a gap, what was shown before it comes back with the earlier messages. */
function withLatest(shown: Shown, { messages: part, ...conversation }: ReadConversation): Shown {
  const latest = part.edges.map(({ node }) => node);
  const [first] = latest;
  const place = shown.messages.findIndex(({ id }) => id === first?.id);
  if (place <= 0) return { ...shown, conversation, messages: latest, start: part.pageInfo };
  return { ...shown, conversation, messages: [...shown.messages.slice(0, place), ...latest] };
}

function withEarlier(shown: Shown, { messages: part, ...conversation }: ReadConversation): Shown {
  const known = new Set(shown.messages.map(({ id }) => id));
  const earlier = part.edges.map(({ node }) => node).filter(({ id }) => !known.has(id));
  return {
    ...shown,
    conversation,
    messages: [...earlier, ...shown.messages],
    start: part.pageInfo,
  };
}
