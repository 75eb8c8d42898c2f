import type { ResultOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';

/** The settings of the project that a comparison starts from. */
export const compareSettingsQuery = graphql(`
  query CompareSettings($projectId: ID!) {
    project(id: $projectId) {
      id
      assistant {
        confidenceThreshold
      }
      languageModel {
        temperature
        reasoningEffort
        maxOutputTokens
        contextChunks
        contextTokens
      }
      installedLanguageModel {
        name
        temperature
        reasoningEffort
        maxOutputTokens
        contextChunks
        contextTokens
      }
    }
  }
`);

export type ComparedProject = NonNullable<ResultOf<typeof compareSettingsQuery>['project']>;
