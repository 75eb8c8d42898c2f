import type { ResultOf } from 'gql.tada';
import { graphql } from '../graphql/graphql.ts';

export const usageQuery = graphql(`
  query Usage($organizationId: ID!, $projectId: ID!, $from: DateTime!) {
    usage(organizationId: $organizationId) {
      plan
      period {
        start
        end
      }
      messages {
        used
        limit
      }
      evaluation {
        evaluated {
          used
          limit
        }
        judged {
          used
          limit
        }
      }
      storage {
        usedBytes
        limitBytes
      }
      tokens {
        input
        output
        embedding
        total
      }
    }
    usageByDay(organizationId: $organizationId, from: $from) {
      day
      messages
      storedBytes
      tokens {
        input
        output
        embedding
      }
    }
    answerQuality(organizationId: $organizationId, projectId: $projectId, from: $from) {
      answers
      unsure
      latencyP50Ms
      latencyP95Ms
      days {
        day
        answers
        unsure
        latencyP50Ms
        latencyP95Ms
      }
    }
  }
`);

type Data = ResultOf<typeof usageQuery>;
export type Usage = Data['usage'];
export type UsageDays = Data['usageByDay'];
export type AnswerQuality = Data['answerQuality'];
