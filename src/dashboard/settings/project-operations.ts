import type { ResultOf } from 'gql.tada';
import { graphql } from '../graphql/graphql.ts';

export const projectAssistantQuery = graphql(`
  query Assistant($projectId: ID!) {
    project(id: $projectId) {
      id
      updatedAt
      handoffTargets {
        firstReplyMinutes
        resolutionMinutes
      }
      asksForSatisfaction
      installedLanguageModel {
        name
      }
      assistant {
        instructions
        fallbackText
        holdingText
        outOfHoursText
        greetingText
        thanksText
        goodbyeText
        identityText
        helpText
        humanText
        complaintText
        gibberishText
        humanRequest
        businessHours {
          timeZone
          weekly {
            day
            from
            to
          }
        }
      }
    }
  }
`);

export type ProjectAssistant = NonNullable<ResultOf<typeof projectAssistantQuery>['project']>;

/** The budget of the project, and the prices for its currency. */
export const budgetQuery = graphql(`
  query Budget($projectId: ID!, $organizationId: ID!) {
    project(id: $projectId) {
      id
      budget {
        monthlyAmount
        warnAtPercent
      }
    }
    modelPrices(organizationId: $organizationId) {
      currency
    }
  }
`);

export type Budget = NonNullable<NonNullable<ResultOf<typeof budgetQuery>['project']>['budget']>;

export const updateProjectMutation = graphql(`
  mutation UpdateProject($input: UpdateProjectInput!) {
    updateProject(input: $input) {
      id
      name
      updatedAt
    }
  }
`);

export const createProjectMutation = graphql(`
  mutation CreateProject($organizationId: ID!, $name: String!) {
    createProject(input: { organizationId: $organizationId, name: $name }) {
      id
      name
    }
  }
`);
