import type { ResultOf } from 'gql.tada';
import { graphql } from '../graphql/graphql.ts';
import { citationFields } from './citations.tsx';

export const messageFields = graphql(
  `
    fragment MessageFields on Message {
      id
      role
      status
      content
      author
      authorName
      confidence
      latencyMs
      intent
      createdAt
      citations {
        ...CitationFields
      }
      feedback {
        rating
        comment
      }
    }
  `,
  [citationFields],
);

export type TranscriptMessage = ResultOf<typeof messageFields>;
