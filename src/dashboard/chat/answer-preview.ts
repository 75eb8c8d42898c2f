import type { ResultOf } from 'gql.tada';
import { graphql } from '../graphql/graphql.ts';
import { citationFields } from '../transcript/citations.tsx';
import { traceFields } from '../transcript/trace/trace-query.ts';

/** Answers a question without a conversation. Omitted settings are those of the project. */
export const previewAnswerQuery = graphql(
  `
    query PreviewAnswer(
      $projectId: ID!
      $question: String!
      $confidenceThreshold: Float
      $languageModel: LanguageModelSettingsInput
      $hasTrace: Boolean!
    ) {
      previewAnswer(
        projectId: $projectId
        question: $question
        confidenceThreshold: $confidenceThreshold
        languageModel: $languageModel
      ) {
        content
        confidence
        isAnswered
        citations {
          ...CitationFields
        }
        trace @include(if: $hasTrace) {
          ...TraceFields
        }
      }
    }
  `,
  [citationFields, traceFields],
);

export type AnswerPreview = ResultOf<typeof previewAnswerQuery>['previewAnswer'];
