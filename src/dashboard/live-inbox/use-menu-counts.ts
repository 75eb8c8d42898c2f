import type { ResultOf } from 'gql.tada';
import { useMemo, useState } from 'react';
import { useClient } from 'urql';
import { coalesceReloads } from '../graphql/coalesce-reloads.ts';
import { reloadOptions } from '../graphql/fetch-with-timeout.ts';
import { graphql } from '../graphql/graphql.ts';
import { useProject } from '../project/project.tsx';

const menuCountsQuery = graphql(`
  query MenuCounts($projectId: ID!, $withQuestions: Boolean!) {
    handoffCounts(projectId: $projectId, latestOnly: true) {
      waiting
      claimed
      mine
      unread
      resolved
    }
    unansweredQuestionPage(projectId: $projectId, limit: 1) @include(if: $withQuestions) {
      total
    }
  }
`);

/**
 * Counts of conversations with a handoff. Each count is at most 100. `unread` counts the operator's own conversations
 * with new messages.
 */
export type HandoffCounts = ResultOf<typeof menuCountsQuery>['handoffCounts'];

interface MenuCounts {
  readonly counts: HandoffCounts;
  /** Number of unanswered questions that are open, at most 500. Null until it is known. */
  readonly openQuestions: number | null;
}

const noCounts: MenuCounts = {
  counts: { waiting: 0, claimed: 0, mine: 0, unread: 0, resolved: 0 },
  openQuestions: null,
};

/** Inbox events reload the open questions only after this time, because the service groups them by meaning. */
const questionsAgeMs = 5 * 60_000;

/**
 * The counts of the project, and functions that reload them. The first load is without the open questions, so that the
 * counts of the inbox appear at once.
 */
export function useMenuCounts() {
  const client = useClient();
  const { id: projectId } = useProject();
  const [menuCounts, setMenuCounts] = useState(noCounts);
  const reloads = useMemo(() => {
    let hasCounts = false;
    let questionsDueAt = 0;
    const reloadCounts = coalesceReloads(async () => {
      const withQuestions = hasCounts && Date.now() >= questionsDueAt;
      if (withQuestions) questionsDueAt = Date.now() + questionsAgeMs;
      const { data, error } = await client
        .query(menuCountsQuery, { projectId, withQuestions }, reloadOptions)
        .toPromise();
      if (data == null) {
        if (withQuestions) questionsDueAt = 0;
        return error;
      }
      hasCounts = true;
      const { handoffCounts: counts, unansweredQuestionPage: questions } = data;
      setMenuCounts(({ openQuestions }) => ({
        counts,
        openQuestions: questions?.total ?? openQuestions,
      }));
      return error;
    });
    const reloadQuestions = () => {
      questionsDueAt = 0;
      reloadCounts();
    };
    return { reloadCounts, reloadQuestions };
  }, [client, projectId]);
  return { ...menuCounts, ...reloads };
}
