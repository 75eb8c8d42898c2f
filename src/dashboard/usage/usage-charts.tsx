import { Button, Group, SimpleGrid } from '@mantine/core';
import { Link } from 'wouter';
import { EmptyState } from '../components/empty-state.tsx';
import { formatAmountNumber } from '../format/format-amount.ts';
import { formatBytes } from '../format/format-bytes.ts';
import { formatCompactNumber } from '../format/format-numbers.ts';
import { useProject } from '../project/project.tsx';
import { usePermissions } from '../project/use-permissions.ts';
import { DayChart } from './day-chart.tsx';
import type { UsageDays } from './usage-operations.ts';

/** Charts of the whole organization. */
export function UsageCharts({ days }: { readonly days: UsageDays }) {
  const isUnused = days.every(
    ({ messages, storedBytes, tokens }) =>
      messages === 0 && storedBytes === 0 && tokens.embedding === 0,
  );
  if (isUnused) return <NoUsageYet />;
  const names = days.map(({ day }) => day.slice(0, 10));
  const currency = days.find(({ cost }) => cost !== null)?.cost?.currency;
  const common = { days: names, type: 'bars' } as const;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
      <DayChart
        {...common}
        title="Messages per day"
        text="Answered by the assistant, in all projects"
        format={formatCompactNumber}
        series={[{ label: 'Messages', color: 'cyan', values: days.map((day) => day.messages) }]}
      />
      <DayChart
        {...common}
        title="Tokens per day"
        text="As counted by the models, in all projects"
        format={formatCompactNumber}
        series={[
          { label: 'Input', color: 'indigo', values: days.map(({ tokens }) => tokens.input) },
          { label: 'Output', color: 'grape', values: days.map(({ tokens }) => tokens.output) },
          {
            label: 'Embeddings',
            color: 'orange',
            values: days.map(({ tokens }) => tokens.embedding),
          },
        ]}
      />
      <DayChart
        {...common}
        title="Storage"
        text="Stored documents of all projects at the end of each day"
        format={formatBytes}
        series={[{ label: 'Stored', color: 'blue', values: days.map((day) => day.storedBytes) }]}
      />
      {currency !== undefined && (
        <DayChart
          {...common}
          title="Cost per day"
          text={`In ${currency}, by the prices below, in all projects`}
          format={formatAmountNumber}
          series={[
            {
              label: 'Cost',
              color: 'teal',
              values: days.map(({ cost }) => Number(cost?.amount ?? 0)),
            },
          ]}
        />
      )}
    </SimpleGrid>
  );
}

function NoUsageYet() {
  const { id } = useProject();
  const { canChat, canWriteKnowledge } = usePermissions();
  return (
    <EmptyState
      title="No usage yet"
      text="Add documents and ask a question. The daily usage of the organization then appears here."
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
