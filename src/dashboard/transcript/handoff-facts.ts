import { graphql } from '../graphql/graphql.ts';

/** What the team sees of a handoff, in its row and beside its conversation. */
export const handoffFacts = graphql(`
  fragment HandoffFacts on Handoff @_unmask {
    id
    status
    name
    email
    reason
    isRequested
    requestedAt
    firstReplyAt
    firstReplyDueAt
    claimedBy
    resolvedAt
    resolutionDueAt
  }
`);
