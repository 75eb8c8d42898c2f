import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import { PageNumbers } from '../../components/page-numbers.tsx';
import { Row, RowList } from '../../components/row-list.tsx';
import { formatCount, formatPercent } from '../../format/format-numbers.ts';
import { useProject } from '../../project/project.tsx';
import { evaluationPaths } from '../evaluation-paths.ts';
import { describeCandidate, isActive, runName } from './describe-run.ts';
import { figureTexts } from './figure-texts.ts';
import { RunBadge, ScheduledRunBadges } from './run-badge.tsx';
import { RunCourse } from './run-course.tsx';
import type { ListedRun } from './run-operations.ts';

/** The runs of a set, newest first, with their figures, and the course of these. */
export function RunList({
  runs,
  latestRuns,
  page,
  totalPages,
  onSelectPage,
}: {
  /** The runs of the page. */
  readonly runs: readonly ListedRun[];
  /** The latest runs of the set, newest first. */
  readonly latestRuns: readonly ListedRun[];
  readonly page: number;
  readonly totalPages: number;
  readonly onSelectPage: (page: number) => void;
}) {
  const { id: projectId } = useProject();
  const paths = evaluationPaths(projectId);
  return (
    <Stack component="section" gap="xs" aria-labelledby="runs">
      <Title order={3} size="h5" id="runs">
        Runs
      </Title>
      <RunCourse runs={latestRuns} />
      {runs.length === 0 ? (
        <Text size="sm" c="dimmed">
          No runs yet. A run asks all questions and measures the answers. End users do not notice
          it.
        </Text>
      ) : (
        <RowList label="Runs">
          {runs.map((run) => (
            <Row key={run.id}>
              <Group gap="xs">
                <Anchor component={Link} href={paths.run(run.id)} size="sm" fw={600}>
                  {runName(run)}
                </Anchor>
                <RunBadge status={run.status} />
                <ScheduledRunBadges run={run} />
              </Group>
              <Text size="sm" c="dimmed">
                {isActive(run) &&
                  `${formatCount(run.progress.done)} of ${formatCount(run.progress.total)} questions asked · `}
                version {run.setVersion} · {describeCandidate(run)}
              </Text>
              {run.figures !== null && <Text size="sm">{describeFigures(run.figures)}</Text>}
            </Row>
          ))}
        </RowList>
      )}
      <PageNumbers
        label="Pages of runs"
        page={page}
        totalPages={totalPages}
        onChange={onSelectPage}
      />
    </Stack>
  );
}

const listedFigures = [
  'containsExpected',
  'firstCitationRight',
  'modelRight',
  'refusedRight',
  'refusedWrongly',
] as const;

/** Returns, for example, `Refused rightly 100 % · Refused wrongly 2 %`. Leaves out figures that the run does not have. */
function describeFigures(figures: NonNullable<ListedRun['figures']>): string {
  return listedFigures
    .flatMap((name) => {
      const value = figures[name];
      return value === null ? [] : [`${figureTexts[name].label} ${formatPercent(value)}`];
    })
    .join(' · ');
}
