import type { ResultOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';
import { listedRunFields, runFields } from '../runs/run-operations.ts';

/** `latestRuns` has the latest runs of all sets, of which a row shows the one of its set. */
export const questionSetsQuery = graphql(
  `
    query QuestionSets($projectId: ID!, $page: Int!) {
      questionSetPage(projectId: $projectId, page: $page, limit: 20) {
        total
        totalPages
        data {
          id
          name
          version
          questionCount
        }
      }
      latestRuns: evaluationRunPage(projectId: $projectId, page: 1, limit: 100) {
        hasMore
        data {
          ...RunFields
        }
      }
    }
  `,
  [runFields],
);

export type QuestionSet = ResultOf<typeof questionSetsQuery>['questionSetPage']['data'][number];

/** `latestRuns` shows the course of the figures, and whether a run of the set is active. */
export const questionSetQuery = graphql(
  `
    query QuestionSet($id: ID!, $projectId: ID!, $runPage: Int!) {
      questionSet(id: $id, projectId: $projectId) {
        id
        name
        version
        questionCount
        schedule {
          everyHours
          nextRunAt
          bounds {
            recallAt1
            recallAt5
            mrr
            firstCitationRight
            containsExpected
            refusedRight
            refusedWrongly
            modelRight
            auroc
            calibrationError
            latencyP50Ms
            latencyP95Ms
            tokens
          }
        }
      }
      latestRuns: evaluationRunPage(projectId: $projectId, setId: $id, page: 1, limit: 30) {
        data {
          ...ListedRunFields
        }
      }
      evaluationRunPage(projectId: $projectId, setId: $id, page: $runPage, limit: 10) {
        totalPages
        data {
          ...ListedRunFields
        }
      }
    }
  `,
  [listedRunFields],
);

export type DetailedSet = ResultOf<typeof questionSetQuery>['questionSet'];
export type SetSchedule = NonNullable<DetailedSet['schedule']>;

export const setQuestionsQuery = graphql(`
  query SetQuestions($id: ID!, $projectId: ID!, $page: Int!) {
    setQuestionPage(id: $id, projectId: $projectId, page: $page, limit: 20) {
      totalPages
      data {
        id
        question
        expected
        documentId
        documentName
        mustRefuse
        tags
        language
      }
    }
  }
`);

export type SetQuestion = ResultOf<typeof setQuestionsQuery>['setQuestionPage']['data'][number];

export const updateSetQuestionMutation = graphql(`
  mutation UpdateSetQuestion($input: UpdateSetQuestionInput!) {
    updateSetQuestion(input: $input) {
      id
    }
  }
`);

export const deleteSetQuestionMutation = graphql(`
  mutation DeleteSetQuestion($id: ID!) {
    deleteSetQuestion(input: { id: $id }) {
      id
    }
  }
`);

export const createQuestionSetMutation = graphql(`
  mutation CreateQuestionSet($projectId: ID!, $name: String!) {
    createQuestionSet(input: { projectId: $projectId, name: $name }) {
      id
    }
  }
`);

export const renameQuestionSetMutation = graphql(`
  mutation RenameQuestionSet($id: ID!, $name: String!) {
    updateQuestionSet(input: { id: $id, name: $name }) {
      id
      name
    }
  }
`);

/** A schedule of null ends the schedule. */
export const scheduleQuestionSetMutation = graphql(`
  mutation ScheduleQuestionSet($id: ID!, $schedule: SetScheduleInput) {
    updateQuestionSet(input: { id: $id, schedule: $schedule }) {
      id
    }
  }
`);

export const deleteQuestionSetMutation = graphql(`
  mutation DeleteQuestionSet($id: ID!) {
    deleteQuestionSet(input: { id: $id }) {
      id
    }
  }
`);

export const addSetQuestionsMutation = graphql(`
  mutation AddSetQuestions($id: ID!, $questions: [SetQuestionInput!]!) {
    addSetQuestions(input: { id: $id, questions: $questions }) {
      id
      version
      questionCount
    }
  }
`);

export const importSetQuestionsMutation = graphql(`
  mutation ImportSetQuestions($input: ImportSetQuestionsInput!) {
    importSetQuestions(input: $input) {
      imported
      alreadyThere
      set {
        id
        version
        questionCount
      }
    }
  }
`);
