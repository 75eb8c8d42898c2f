import type { ResultOf } from 'gql.tada';
import { createClient } from 'graphql-sse';
import { stringifyDocument } from 'urql';
import { graphql } from '../graphql/graphql.ts';
import type { Session } from '../session/session.ts';
import { citationFields } from '../transcript/citations.tsx';

const chatSubscription = graphql(
  `
    subscription Chat($projectId: ID!, $message: String!, $conversationId: ID) {
      chat(input: { projectId: $projectId, message: $message, conversationId: $conversationId }) {
        __typename
        ... on ChatMeta {
          conversationId
          messageId
        }
        ... on ChatSources {
          confidence
          correctedQuestion
          citations {
            ...CitationFields
          }
        }
        ... on ChatDelta {
          text
        }
        ... on ChatDone {
          reply {
            content
            confidence
            latencyMs
            intent
            citations {
              ...CitationFields
            }
          }
        }
        ... on ChatError {
          message
        }
      }
    }
  `,
  [citationFields],
);

export type ChatEvent = ResultOf<typeof chatSubscription>['chat'];

export interface Question {
  readonly projectId: string;
  readonly message: string;
  /** Null: the question starts a new conversation. */
  readonly conversationId: string | null;
}

/**
 * Sends a question and yields the events of the answer. Does not retry, because a retry would send the question twice.
 *
 * @throws Error when the connection breaks.
 */
export async function* streamAnswer(
  session: Session,
  question: Question,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const client = createClient({
    url: '/graphql/stream',
    headers: async () => ({ Authorization: `Bearer ${await session.getToken()}` }),
    retryAttempts: 0,
  });
  const stop = () => client.dispose();
  signal.addEventListener('abort', stop);
  try {
    const query = stringifyDocument(chatSubscription);
    for await (const { data, errors } of client.iterate<ResultOf<typeof chatSubscription>>({
      query,
      variables: { ...question },
    })) {
      if (errors !== undefined) throw new Error(errors[0]?.message);
      if (data != null) yield data.chat;
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
