import type { ResultOf } from 'gql.tada';
import { useMemo, useState } from 'react';
import { useClient } from 'urql';
import { coalesceReloads } from '../graphql/coalesce-reloads.ts';
import { reloadOptions } from '../graphql/fetch-with-timeout.ts';
import { graphql } from '../graphql/graphql.ts';
import { useProject } from '../project/project.tsx';

const handoffCountsQuery = graphql(`
  query HandoffCounts($projectId: ID!) {
    handoffCounts(projectId: $projectId, latestOnly: true) {
      waiting
      claimed
      mine
      unread
      resolved
    }
  }
`);

/**
 * Counts of conversations with a handoff. Each count is at most 100. `unread` counts the operator's own conversations
 * with new messages.
 */
export type HandoffCounts = ResultOf<typeof handoffCountsQuery>['handoffCounts'];

const noCounts: HandoffCounts = { waiting: 0, claimed: 0, mine: 0, unread: 0, resolved: 0 };

/** The counts of the project, and a function that reloads them. */
export function useHandoffCounts() {
  const client = useClient();
  const { id: projectId } = useProject();
  const [counts, setCounts] = useState(noCounts);
  const reloadCounts = useMemo(
    () =>
      coalesceReloads(async () => {
        const { data, error } = await client
          .query(handoffCountsQuery, { projectId }, reloadOptions)
          .toPromise();
        if (data != null) setCounts(data.handoffCounts);
        return error;
      }),
    [client, projectId],
  );
  return { counts, reloadCounts };
}
