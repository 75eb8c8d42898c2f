import type { ResultOf } from 'gql.tada';
import { graphql } from '../../graphql/graphql.ts';

const sourceRunFields = graphql(`
  fragment SourceRunFields on SourceRun {
    id
    startedAt
    finishedAt
    fetched
    added
    changed
    removed
    unchanged
    refused
    heldRemovals
    error
  }
`);

export const sourcesQuery = graphql(
  `
    query Sources($projectId: ID!) {
      sourcePage(projectId: $projectId, page: 1, limit: 100) {
        data {
          id
          kind
          name
          status
          schedule
          confirmsRemovals
          nextRunAt
          documentCount
          config {
            startUrls
            include
            exclude
            maxPages
            respectRobots
            url
            branch
            path
            endpoint
            region
            bucket
            prefix
            accessKeyId
            maxFiles
            roots
            hasSecret
          }
          lastRun {
            ...SourceRunFields
          }
        }
      }
    }
  `,
  [sourceRunFields],
);

export type Source = ResultOf<typeof sourcesQuery>['sourcePage']['data'][number];
export type SourceRun = ResultOf<typeof sourceRunFields>;

export const sourceRunsQuery = graphql(
  `
    query SourceRuns($id: ID!, $projectId: ID!) {
      sourceRunPage(id: $id, projectId: $projectId, page: 1, limit: 20) {
        total
        data {
          ...SourceRunFields
          changes {
            added
            changed
            removed
          }
          refusals {
            url
            reason
          }
          warnings {
            url
            reason
          }
        }
      }
    }
  `,
  [sourceRunFields],
);

export const createSourceMutation = graphql(`
  mutation CreateSource($input: CreateSourceInput!) {
    createSource(input: $input) {
      id
    }
  }
`);

export const updateSourceMutation = graphql(`
  mutation UpdateSource($input: UpdateSourceInput!) {
    updateSource(input: $input) {
      id
      status
    }
  }
`);

export const syncSourceMutation = graphql(`
  mutation SyncSource($id: ID!, $confirmRemovals: Boolean) {
    syncSource(input: { id: $id, confirmRemovals: $confirmRemovals }) {
      id
    }
  }
`);

export const deleteSourceMutation = graphql(`
  mutation DeleteSource($id: ID!) {
    deleteSource(input: { id: $id }) {
      id
    }
  }
`);
