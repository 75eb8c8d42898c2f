import type { ResultOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';

export const modelsQuery = graphql(`
  query Models($projectId: ID!) {
    installedModels(projectId: $projectId) {
      kind
      name
      host
      isHealthy
      lastSucceededAt
      lastFailedAt
      medianMs
    }
  }
`);

export type Model = ResultOf<typeof modelsQuery>['installedModels'][number];
