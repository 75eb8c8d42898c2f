import type { ResultOf, VariablesOf } from 'gql.tada';
import { useEffect, useMemo, useState } from 'react';
import { type Client, type CombinedError, useClient } from 'urql';
import { coalesceReloads } from '../graphql/coalesce-reloads.ts';
import { reloadOptions } from '../graphql/fetch-with-timeout.ts';
import { graphql } from '../graphql/graphql.ts';
import { usePolling } from '../graphql/use-polling.ts';
import { useProject } from '../project/project.tsx';
import { usePermissions } from '../project/use-permissions.ts';
import { eventFields, type TranscriptEvent } from './event-item.tsx';
import { handoffFacts } from './handoff-facts.ts';
import { noteFields, type TranscriptNote } from './note-item.tsx';
import { messageFields, type TranscriptMessage } from './transcript-message.ts';

const transcriptQuery = graphql(
  `
    query TranscriptPart($projectId: ID!, $conversationId: ID!, $before: String, $isAgent: Boolean!) {
      conversationNotes(projectId: $projectId, conversationId: $conversationId)
        @include(if: $isAgent) {
        ...NoteFields
      }
      conversationEvents(projectId: $projectId, conversationId: $conversationId)
        @include(if: $isAgent) {
        ...EventFields
      }
      conversation(projectId: $projectId, id: $conversationId) {
        id
        title
        status
        channel
        endUserId
        isEndUserVerified
        endUserName
        endUserEmail
        visitorPage
        visitorBrowser
        visitorTimeZone
        visitorAttributes {
          name
          value
        }
        messageCount
        cost {
          amount
          currency
        }
        createdAt
        labels {
          id
          name
          color
        }
        newerConversation {
          id
          title
          createdAt
        }
        handoff {
          ...HandoffFacts
        }
        latestRating {
          handoffId
          rating
          comment
          ratedAt
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
  [messageFields, noteFields, eventFields, handoffFacts],
);

type Loaded = ResultOf<typeof transcriptQuery>;
type LoadedConversation = NonNullable<Loaded['conversation']>;

interface TranscriptState {
  readonly conversation: Omit<LoadedConversation, 'messages'> | null;
  /** The loaded messages, oldest first, up to the latest message of the conversation. */
  readonly messages: readonly TranscriptMessage[];
  /** Internal notes of the whole conversation, oldest first. */
  readonly notes: readonly TranscriptNote[];
  /** The latest changes of the owner, oldest first. */
  readonly events: readonly TranscriptEvent[];
  readonly start: LoadedConversation['messages']['pageInfo'];
  readonly error: CombinedError | undefined;
  readonly isLoadingEarlier: boolean;
}

const emptyTranscript: TranscriptState = {
  conversation: null,
  messages: [],
  notes: [],
  events: [],
  start: { hasPreviousPage: false, startCursor: null },
  error: undefined,
  isLoadingEarlier: false,
};

/** Polling interval. Without an open handoff, the inbox sends no events of a conversation. */
const pollingMs = 5_000;

/**
 * Loads a conversation with its latest messages, and earlier pages on request. `reload` adds new messages. While the
 * conversation has no open handoff, it is reloaded every 5 seconds.
 */
export function useTranscript(conversationId: string) {
  const client = useClient();
  const { id: projectId } = useProject();
  const { canWorkHandoffs: isAgent } = usePermissions();
  const [state, setState] = useState(emptyTranscript);
  const loader = useMemo(
    () => createTranscriptLoader(client, { projectId, conversationId, isAgent }, setState),
    [client, projectId, conversationId, isAgent],
  );
  useEffect(() => {
    setState(emptyTranscript);
    return loader.open();
  }, [loader]);
  const { start, ...rest } = state;
  const handoff = state.conversation?.handoff ?? null;
  const hasEvents = handoff !== null && handoff.status !== 'RESOLVED';
  usePolling(loader.reload, state.conversation === null || hasEvents ? null : pollingMs);
  return {
    ...rest,
    hasEarlier: start.hasPreviousPage,
    reload: loader.reload,
    loadEarlier: () => loader.loadEarlier(start.startCursor),
  };
}

function createTranscriptLoader(
  client: Client,
  target: Omit<VariablesOf<typeof transcriptQuery>, 'before'>,
  setState: (change: (state: TranscriptState) => TranscriptState) => void,
) {
  let isOpen = false;
  const loadPage = async (
    before: string | null,
    change: (shown: TranscriptState, page: LoadedConversation) => TranscriptState,
  ) => {
    const variables = { ...target, before };
    const { data, error } = await client
      .query(transcriptQuery, variables, reloadOptions)
      .toPromise();
    if (!isOpen) return;
    const page = data?.conversation;
    setState((shown) => {
      const rest = { ...shown, isLoadingEarlier: false };
      if (page == null) return { ...rest, error };
      const { conversationNotes: notes = [], conversationEvents: events = [] } = data ?? {};
      return { ...change(rest, page), notes, events, error: undefined };
    });
    return page == null ? error : undefined;
  };
  const reload = coalesceReloads(() => loadPage(null, withLatest));
  return {
    reload,
    open() {
      isOpen = true;
      reload();
      return () => {
        isOpen = false;
        reload.stop();
      };
    },
    loadEarlier(before: string | null) {
      setState((shown) => ({ ...shown, isLoadingEarlier: true }));
      void loadPage(before, withEarlier);
    },
  };
}

/**
 * Merges the page with the latest messages into the shown messages. If the page and the shown messages do not overlap,
 * the page replaces the shown messages, so that there is no gap.
 */
function withLatest(
  state: TranscriptState,
  { messages: page, ...conversation }: LoadedConversation,
): TranscriptState {
  const latest = page.edges.map(({ node }) => node);
  const [first] = latest;
  const overlapIndex = state.messages.findIndex(({ id }) => id === first?.id);
  if (overlapIndex <= 0) return { ...state, conversation, messages: latest, start: page.pageInfo };
  return {
    ...state,
    conversation,
    messages: [...state.messages.slice(0, overlapIndex), ...latest],
  };
}

function withEarlier(
  state: TranscriptState,
  { messages: page, ...conversation }: LoadedConversation,
): TranscriptState {
  const known = new Set(state.messages.map(({ id }) => id));
  const earlier = page.edges.map(({ node }) => node).filter(({ id }) => !known.has(id));
  return {
    ...state,
    conversation,
    messages: [...earlier, ...state.messages],
    start: page.pageInfo,
  };
}
