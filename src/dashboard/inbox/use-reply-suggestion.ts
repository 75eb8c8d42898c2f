import { useDocumentVisibility } from '@mantine/hooks';
import type { ResultOf } from 'gql.tada';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type CombinedError, useClient } from 'urql';
import { useSwitchSetting } from '../components/use-switch-setting.ts';
import { modelOptions } from '../graphql/fetch-with-timeout.ts';
import { graphql } from '../graphql/graphql.ts';
import { useOperator } from '../project/operator.tsx';
import { citationFields } from '../transcript/citations.tsx';
import type { TranscriptMessage } from '../transcript/transcript-message.ts';

const draftReplyQuery = graphql(
  `
    query DraftReply($handoffId: ID!) {
      draftReply(handoffId: $handoffId) {
        messageId
        content
        text
        confidence
        citations {
          ...CitationFields
        }
      }
    }
  `,
  [citationFields],
);

type DraftReply = NonNullable<ResultOf<typeof draftReplyQuery>['draftReply']>;

export type Suggestion =
  | { readonly type: 'none' }
  | { readonly type: 'loading' }
  | { readonly type: 'drafted'; readonly draft: DraftReply & DraftTexts }
  /** The documents do not contain an answer to the question. */
  | { readonly type: 'nothing' }
  /** The operator asked for a draft, but the messages contain only small talk. */
  | { readonly type: 'no-question' }
  | { readonly type: 'failed'; readonly error: CombinedError };

interface DraftTexts {
  readonly content: string;
  readonly text: string;
}

const none: Suggestion = { type: 'none' };
const loading: Suggestion = { type: 'loading' };

/** Whether this browser shows suggested replies without a request of the operator. */
export const useSuggestionSetting = () => useSwitchSetting('grounded-chat suggestions', true);

/** A message of the end user that the team has not answered. */
export interface OpenMessage {
  readonly id: string;
  /** Whether the assistant has not answered the message either. */
  readonly isUnanswered: boolean;
}

/** Returns the end user's latest message, or null if the team has replied to it. */
export function openMessageOf(messages: readonly TranscriptMessage[]): OpenMessage | null {
  const index = messages.findLastIndex(({ role }) => role === 'USER');
  const message = messages[index];
  const later = messages.slice(index + 1);
  if (message === undefined || later.some(({ role }) => role === 'AGENT')) return null;
  return { id: message.id, isUnanswered: !later.some(({ role }) => role === 'ASSISTANT') };
}

/**
 * The suggested reply to the open message. Requests a suggestion when the message arrives while the page is visible,
 * unless the operator has switched this off. `request` also requests one. A later message, another conversation and
 * `close` cancel a running request.
 */
export function useReplySuggestion(handoffId: string, message: OpenMessage | null) {
  const client = useClient();
  const { id: operatorId } = useOperator();
  const [isAutomatic] = useSuggestionSetting();
  const isVisible = useDocumentVisibility() === 'visible';
  const key = message === null ? null : `${operatorId} ${message.id}`;
  const [shown, setShown] = useState<{ key: string | null; suggestion: Suggestion } | null>(null);
  const running = useRef<{ unsubscribe(): void } | null>(null);

  const show = useCallback(
    (suggestion: Suggestion) => {
      if (key !== null && suggestion !== loading) remember(key, suggestion);
      setShown({ key, suggestion });
    },
    [key],
  );
  const request = useCallback(
    (isAsked = true) => {
      running.current?.unsubscribe();
      show(loading);
      running.current = client
        .query(draftReplyQuery, { handoffId }, modelOptions)
        .subscribe(({ data, error }) => show(suggestionOf(data?.draftReply, error, isAsked)));
    },
    [client, handoffId, show],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: cancels the request for the message before
  useEffect(() => () => running.current?.unsubscribe(), [key]);
  const isWanted = isAutomatic && isVisible && message?.isUnanswered === true;
  useEffect(() => {
    if (isWanted && key !== null && !remembered.has(key)) request(false);
  }, [isWanted, key, request]);

  const known = key === null ? undefined : remembered.get(key);
  return {
    suggestion: key === null ? none : shown?.key === key ? shown.suggestion : (known ?? none),
    request: () => request(),
    close: () => {
      running.current?.unsubscribe();
      show(none);
    },
  };
}

function suggestionOf(
  draft: DraftReply | null | undefined,
  error: CombinedError | undefined,
  isAsked: boolean,
): Suggestion {
  // A newer draft in another tab has replaced this one, or a colleague has taken over.
  const isReplaced = error?.graphQLErrors.some(({ extensions }) => extensions.code === 'CONFLICT');
  if (isReplaced) return none;
  if (error !== undefined) return { type: 'failed', error };
  if (draft == null) return isAsked ? { type: 'no-question' } : none;
  const { content, text } = draft;
  if (content === null || text === null) return { type: 'nothing' };
  return { type: 'drafted', draft: { ...draft, content, text } };
}

/** Suggestions of this page, by operator and message. If the conversation is opened again, no new request is needed. */
const remembered = new Map<string, Suggestion>();
const maxRemembered = 50;

function remember(key: string, suggestion: Suggestion): void {
  remembered.delete(key);
  remembered.set(key, suggestion);
  const [oldest] = remembered.keys();
  if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
}
