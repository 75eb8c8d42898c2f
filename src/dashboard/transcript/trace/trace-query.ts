import type { ResultOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';

export const traceFields = graphql(`
  fragment TraceFields on AnswerTrace @_unmask {
    question {
      asked
      rewritten
      corrected
      translated
    }
    hits {
      documentId
      documentName
      chunkId
      score
      rank
      used
      reason
    }
    decision {
      confidence
      threshold
      reasons
    }
    modelCalls {
      model
      purpose
      inputTokens
      outputTokens
      firstTokenMs
      totalMs
      tries
    }
    filtered {
      kind
      count
    }
    timings {
      step
      ms
    }
  }
`);

/** The trace of an answer, and what the answer cost. */
export const traceQuery = graphql(
  `
    query AnswerTrace($messageId: ID!, $projectId: ID!) {
      answerTrace(messageId: $messageId, projectId: $projectId) {
        ...TraceFields
      }
      node(id: $messageId) {
        __typename
        ... on Message {
          cost {
            amount
            currency
          }
        }
      }
    }
  `,
  [traceFields],
);

export type Trace = ResultOf<typeof traceFields>;
export type Hit = Trace['hits'][number];
