import type { ResultOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';

export const traceQuery = graphql(`
  query AnswerTrace($messageId: ID!, $projectId: ID!) {
    answerTrace(messageId: $messageId, projectId: $projectId) {
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
  }
`);

export type Trace = ResultOf<typeof traceQuery>['answerTrace'];
export type Hit = Trace['hits'][number];
