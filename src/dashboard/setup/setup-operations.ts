import type { ResultOf } from 'gql.tada';
import { graphql } from '../graphql/graphql.ts';

const setupFields = graphql(`
  fragment SetupFacts on ProjectSetup @_unmask {
    hasDocuments
    hasConversation
    hasModelChoice
    hasWidgetConversation
    hasColleague
    isHidden
  }
`);

/** Facts only, for the decision which page opens first. */
export const setupFactsQuery = graphql(
  `
    query SetupFacts($projectId: ID!) {
      projectSetup(projectId: $projectId) {
        ...SetupFacts
      }
    }
  `,
  [setupFields],
);

export const setupPageQuery = graphql(
  `
    query SetupPage($projectId: ID!) {
      projectSetup(projectId: $projectId) {
        ...SetupFacts
        exampleQuestions
      }
      project(id: $projectId) {
        id
        installedLanguageModel {
          name
        }
      }
    }
  `,
  [setupFields],
);

export type SetupFacts = ResultOf<typeof setupFields>;

export const changeSetupMutation = graphql(`
  mutation ChangeSetup($input: UpdateProjectInput!) {
    updateProject(input: $input) {
      id
      updatedAt
    }
  }
`);

/** Returns whether each step is done, in the order of the page. */
export function doneSteps(facts: SetupFacts): readonly boolean[] {
  return [
    facts.hasDocuments,
    facts.hasConversation,
    facts.hasModelChoice,
    facts.hasWidgetConversation,
    facts.hasColleague,
  ];
}

/** Returns whether the page still opens first: not hidden, and a step is left. */
export function opensFirst(facts: SetupFacts): boolean {
  return !facts.isHidden && doneSteps(facts).includes(false);
}
