import { Alert, Group, Stack, Text, Title } from '@mantine/core';
import { BackLink } from '../../components/back-link.tsx';
import { isNotFound } from '../../graphql/is-not-found.ts';
import { useFreshQuery } from '../../graphql/use-fresh-query.ts';
import { usePolling } from '../../graphql/use-polling.ts';
import { useProject } from '../../project/project.tsx';
import { ComparisonPicker } from '../compare/comparison-picker.tsx';
import { DetailPlaceholder } from '../detail-placeholder.tsx';
import { evaluationPaths } from '../evaluation-paths.ts';
import { describeCandidate, isActive, pollIntervalMs, runName } from './describe-run.ts';
import { FailedBounds } from './failed-bounds.tsx';
import { RunBadge, ScheduledRunBadges } from './run-badge.tsx';
import { RunFigures } from './run-figures.tsx';
import { type DetailedRun, runQuery } from './run-operations.ts';
import { RunProgress } from './run-progress.tsx';
import { RunResults } from './run-results.tsx';

/** A run: its progress, then its figures and results. */
export function RunPanel({ runId }: { readonly runId: string }) {
  const { id: projectId } = useProject();
  const { data, error, reload } = useFreshQuery(runQuery, { id: runId, projectId });
  const run = data?.evaluationRun;
  usePolling(reload, run !== undefined && isActive(run) ? pollIntervalMs : null);
  const paths = evaluationPaths(projectId);
  if (run === undefined || isNotFound(error)) {
    return (
      <Stack maw={860}>
        <BackLink href={paths.list}>All question sets</BackLink>
        <DetailPlaceholder what="Run" error={error} onRetry={reload} />
      </Stack>
    );
  }
  return (
    <Stack maw={860}>
      <BackLink href={paths.set(run.setId)}>The question set</BackLink>
      <RunHeader run={run} />
      {isActive(run) && <RunProgress run={run} onChange={reload} />}
      {run.error !== null && (
        <Alert color="red" title="The run failed">
          {run.error}
        </Alert>
      )}
      <FailedBounds run={run} />
      {run.figures !== null && (
        <>
          <ComparisonPicker run={run} />
          <RunFigures figures={run.figures} agreement={run.agreement} />
        </>
      )}
      <RunResults runId={run.id} done={run.progress.done} onMark={reload} />
    </Stack>
  );
}

function RunHeader({ run }: { readonly run: DetailedRun }) {
  return (
    <div>
      <Group gap="xs">
        <Title order={2} size="h4">
          {runName(run)}
        </Title>
        <RunBadge status={run.status} />
        <ScheduledRunBadges run={run} />
      </Group>
      <Text size="sm" c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
        Version {run.setVersion} of the set · {describeCandidate(run)}
        {run.judgeModel !== null && ` · judged by ${run.judgeModel}, too`}
      </Text>
    </div>
  );
}
