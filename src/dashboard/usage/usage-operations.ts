import type { ResultOf } from 'gql.tada';
import { graphql } from '../graphql/graphql.ts';

export const usageQuery = graphql(`
  query Usage($organizationId: ID!, $from: DateTime!) {
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
      cost {
        amount
        currency
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
      cost {
        amount
        currency
      }
    }
  }
`);

type Data = ResultOf<typeof usageQuery>;
export type Usage = Data['usage'];
export type UsageDays = Data['usageByDay'];
