import { useEffect, useMemo, useRef } from 'react';
import { useClient } from 'urql';
import { coalesceReloads } from '../graphql/coalesce-reloads.ts';
import { reloadOptions } from '../graphql/fetch-with-timeout.ts';
import { graphql } from '../graphql/graphql.ts';
import { usePolling } from '../graphql/use-polling.ts';
import { useOperator } from '../project/operator.tsx';
import { useProject, useProjects } from '../project/project.tsx';
import { usePermissions } from '../project/use-permissions.ts';
import { noticesOfAssignments } from './assignment-notices.ts';
import type { Notice } from './inbox-notices.ts';

const recentAssignmentsQuery = graphql(`
  query RecentAssignments($organizationId: ID!) {
    recentAssignments(organizationId: $organizationId) {
      id
      projectId
      conversationId
      actor
    }
  }
`);

const pollingMs = 30_000;

/**
 * Ids of the assignments seen so far, by operator and organization. They are kept when the operator changes the
 * project.
 */
const knownIds = new Map<string, ReadonlySet<string>>();

/**
 * Shows a notice when somebody assigns the operator a conversation of another project of the organization. The inbox
 * stream contains only events of the current project. So this hook reads the assignments every 30 seconds while the
 * page is visible. Assignments in the first response cause no notice.
 */
export function useAssignmentNotices(notify: (notice: Notice, isFromThisTab: boolean) => void) {
  const client = useClient();
  const { id: operatorId } = useOperator();
  const { id: projectId, organizationId } = useProject();
  const { canWorkHandoffs } = usePermissions();
  const projects = useProjects().filter((project) => project.organizationId === organizationId);
  const isNeeded = canWorkHandoffs && projects.length > 1;
  const current = { projects, projectId, notify };
  const currentRef = useRef(current);
  useEffect(() => {
    currentRef.current = current;
  });
  const reload = useMemo(() => {
    const key = `${operatorId} ${organizationId}`;
    return coalesceReloads(async () => {
      const variables = { organizationId };
      const { data, error } = await client
        .query(recentAssignmentsQuery, variables, reloadOptions)
        .toPromise();
      if (data == null) return error;
      const { recentAssignments: all } = data;
      const known = knownIds.get(key);
      const added = all.filter(({ id }) => known?.has(id) === false);
      knownIds.set(key, new Set(all.map(({ id }) => id)));
      const { projects, projectId, notify } = currentRef.current;
      for (const notice of noticesOfAssignments(added, projects, projectId)) notify(notice, true);
      return undefined;
    });
  }, [client, operatorId, organizationId]);
  useEffect(() => {
    if (isNeeded) reload();
    return reload.stop;
  }, [isNeeded, reload]);
  usePolling(reload, isNeeded ? pollingMs : null);
}
