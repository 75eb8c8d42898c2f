import type { ResultOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';

export const explainSearchQuery = graphql(`
  query ExplainSearch($projectId: ID!, $query: String!) {
    explainSearch(projectId: $projectId, query: $query) {
      isAnswerable
      correctedQuery
      confidence
      tookMs
      results {
        isGround
        matches {
          start
          end
        }
        result {
          chunkId
          documentId
          documentName
          content
          page
          score
          similarity
          lexical
        }
      }
    }
  }
`);

export type SearchExplanation = ResultOf<typeof explainSearchQuery>['explainSearch'];
