import { Button, Group, SimpleGrid } from '@mantine/core';
import { Link } from 'wouter';
import { EmptyState } from '../shell/empty-state.tsx';
import { usePermissions } from '../shell/permissions.ts';
import { useProject } from '../shell/project.tsx';
import { sayDuration } from '../shell/say-duration.ts';
import { saySize } from '../shell/say-size.ts';
import { DayChart } from './day-chart.tsx';
import { sayCompact, sayShare } from './say-figures.ts';
import type { AnswerQuality, UsageDays } from './usage-operations.ts';

export function UsageCharts({
  days,
  quality,
}: {
  readonly days: UsageDays;
  readonly quality: AnswerQuality;
}) {
  const isUnused = days.every(
    ({ messages, storedBytes, tokens }) =>
      messages === 0 && storedBytes === 0 && tokens.embedding === 0,
  );
  if (isUnused && quality.answers === 0) return <NothingYet />;
  const names = days.map(({ day }) => day.slice(0, 10));
  const common = { days: names, type: 'bars' } as const;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
      <DayChart
        {...common}
        title="Messages a day"
        text="Answered by the assistant"
        say={sayCompact}
        series={[{ label: 'Messages', color: 'cyan', values: days.map((day) => day.messages) }]}
      />
      <DayChart
        {...common}
        title="Tokens a day"
        text="As the models count them"
        say={sayCompact}
        series={[
          { label: 'Read', color: 'indigo', values: days.map(({ tokens }) => tokens.input) },
          { label: 'Written', color: 'grape', values: days.map(({ tokens }) => tokens.output) },
          {
            label: 'Embeddings',
            color: 'orange',
            values: days.map(({ tokens }) => tokens.embedding),
          },
        ]}
      />
      <DayChart
        {...common}
        title="Low confidence a day"
        text="The share of answers that the documents hardly hold"
        say={sayShare}
        series={[
          {
            label: 'Low confidence',
            color: 'red',
            values: quality.days.map(({ answers, unsure }) =>
              answers === 0 ? null : unsure / answers,
            ),
          },
        ]}
      />
      <DayChart
        days={names}
        type="lines"
        title="Latency a day"
        text="From question to complete answer"
        say={sayDuration}
        series={[
          {
            label: 'Half of the answers',
            color: 'teal',
            values: quality.days.map(({ latencyP50Ms }) => latencyP50Ms),
          },
          {
            label: '19 of 20',
            color: 'orange',
            values: quality.days.map(({ latencyP95Ms }) => latencyP95Ms),
          },
        ]}
      />
      <DayChart
        {...common}
        title="Storage"
        text="Documents when the day ended"
        say={saySize}
        series={[{ label: 'Stored', color: 'blue', values: days.map((day) => day.storedBytes) }]}
      />
    </SimpleGrid>
  );
}

function NothingYet() {
  const { id } = useProject();
  const { canChat, canWriteKnowledge } = usePermissions();
  return (
    <EmptyState
      title="Nothing was used yet"
      text="Add documents and ask a question: from then on you see here what each day has used, and how sure and quick the answers were."
    >
      <Group>
        {canWriteKnowledge && (
          <Button component={Link} href={`/${id}/knowledge`} variant="default">
            Add documents
          </Button>
        )}
        {canChat && (
          <Button component={Link} href={`/${id}/playground`} variant="default">
            Ask a question
          </Button>
        )}
      </Group>
    </EmptyState>
  );
}
