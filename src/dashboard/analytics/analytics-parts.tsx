import { Anchor, Card, SimpleGrid, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { ScrolledTable } from '../components/chart-table.tsx';
import { formatWait } from '../format/format-duration.ts';
import { formatCompactNumber, formatCount, formatShare } from '../format/format-numbers.ts';
import { useProject } from '../project/project.tsx';
import { useAgentName } from '../project/use-agent-name.ts';
import { DayChart } from '../usage/day-chart.tsx';
import { formatValue } from '../usage/day-plot.tsx';
import type { Analytics } from './analytics-operations.ts';

/** The figures of the whole period by hour of the day, by agent, by label and by topic. */
export function AnalyticsParts({ byHour, byAgent, byLabel, byTopic }: Analytics) {
  const { id: projectId } = useProject();
  const nameOf = useAgentName();
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
      <HourChart byHour={byHour} />
      <PartTable
        title="Requests by agent"
        text="Handoffs of the period, by the agent who claimed them last. Times are medians from the request"
        emptyText="No agent has claimed a handoff of this period."
        columns={['Agent', 'Claimed', 'Resolved', 'First reply', 'Resolution', 'Rating']}
        rows={byAgent.map((row) => [
          row.agent === null ? 'All others' : nameOf(row.agent),
          formatCount(row.claimed),
          formatCount(row.resolved),
          formatValue(row.replyP50Seconds, formatWait),
          formatValue(row.resolutionP50Seconds, formatWait),
          formatRating(row),
        ])}
      />
      <PartTable
        title="Conversations by label"
        text="Conversations that started in the period. One with two labels counts for both"
        emptyText="No conversation of this period has a label."
        columns={['Label', 'Conversations', 'Refused', 'Handoffs', 'Rating']}
        rows={byLabel.map((row) => [
          row.name ?? 'All others',
          formatCount(row.conversations),
          formatCount(row.refused),
          formatCount(row.handoffs),
          formatRating(row),
        ])}
      />
      <PartTable
        title="Answers by topic"
        text={
          <>
            Tags of the documents that answers cite. Questions without an answer from the documents
            are on{' '}
            <Anchor component={Link} href={`/${projectId}/unanswered`} underline="always" inherit>
              Unanswered
            </Anchor>
          </>
        }
        emptyText="No answer of this period cites a document with a tag. Add tags on the page Knowledge."
        columns={['Topic', 'Answers', 'Confidence', 'Low confidence', 'Helpful', 'Not helpful']}
        rows={byTopic.map((row) => [
          row.name,
          formatCount(row.answers),
          formatShare(row.confidence),
          formatCount(row.unsure),
          formatCount(row.helpful),
          formatCount(row.unhelpful),
        ])}
      />
    </SimpleGrid>
  );
}

function HourChart({ byHour: { timeZone, hours } }: Pick<Analytics, 'byHour'>) {
  const format = (hour: string) => `${hour.padStart(2, '0')}:00`;
  return (
    <DayChart
      days={hours.map(({ hour }) => String(hour))}
      axis={{ heading: `Hour (${timeZone})`, short: format, full: format }}
      type="bars"
      title="Questions by hour"
      text={`Hour of the day, time zone ${timeZone}. Refused: answers without a source`}
      format={formatCompactNumber}
      series={[
        { label: 'Answered', color: 'teal', values: hours.map((row) => row.answers - row.refused) },
        { label: 'Refused', color: 'red', values: hours.map(({ refused }) => refused) },
      ]}
    />
  );
}

/** A table whose first column names the rows. All other columns are numbers. */
function PartTable({
  title,
  text,
  emptyText,
  columns,
  rows,
}: {
  readonly title: string;
  readonly text: ReactNode;
  readonly emptyText: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}) {
  return (
    <Card withBorder padding="md" role="group" aria-label={title}>
      <Title order={3} size="h5">
        {title}
      </Title>
      <Text size="sm" c="dimmed">
        {text}
      </Text>
      {rows.length === 0 ? (
        <Text size="sm" mt="sm">
          {emptyText}
        </Text>
      ) : (
        <ScrolledTable label={`${title}, table`}>
          <Table fz="xs" stickyHeader>
            <Table.Thead>
              <Table.Tr>
                {columns.map((column, index) => (
                  <Table.Th key={column} ta={index === 0 ? undefined : 'right'}>
                    {column}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(([name = '', ...values]) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row" fw={400} miw={110} style={{ overflowWrap: 'anywhere' }}>
                    {name}
                  </Table.Th>
                  {values.map((value, index) => (
                    <Table.Td key={columns[index + 1]} ta="right">
                      {value}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrolledTable>
      )}
    </Card>
  );
}

/** Formats the mean rating with the number of ratings: `4.5 (12)`. */
function formatRating({ ratings, meanRating }: { ratings: number; meanRating: number | null }) {
  return meanRating === null ? '–' : `${meanRating.toFixed(1)} (${formatCount(ratings)})`;
}
