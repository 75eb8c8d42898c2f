import { Anchor, SimpleGrid } from '@mantine/core';
import { Link } from 'wouter';
import { formatAmount } from '../format/format-amount.ts';
import { formatWait } from '../format/format-duration.ts';
import { formatCompactNumber, formatCount, formatShare } from '../format/format-numbers.ts';
import { useProject } from '../project/project.tsx';
import { useAgentName } from '../project/use-agent-name.ts';
import { DayChart } from '../usage/day-chart.tsx';
import { formatValue } from '../usage/day-plot.tsx';
import { describeTokens, isBuiltIn } from '../usage/prices/price-texts.ts';
import type { Analytics } from './analytics-operations.ts';
import { PartTable } from './part-table.tsx';

/** The figures of the whole period by hour of the day, by agent, by label, by topic and, with prices, by model. */
export function AnalyticsParts({ byHour, byAgent, byLabel, byTopic, cost }: Analytics) {
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
      {cost !== null && (
        <PartTable
          title="Cost by model"
          text={
            <>
              Tokens of the project and what they cost, by the prices on{' '}
              <Anchor component={Link} href={`/${projectId}/usage`} underline="always" inherit>
                Usage
              </Anchor>
            </>
          }
          emptyText="No model was used in this period."
          columns={['Model', 'Tokens', 'Cost']}
          rows={cost.models.map((row) => [
            describeTokens(row),
            formatCount(row.tokens),
            <ModelCost key="cost" {...row} />,
          ])}
        />
      )}
    </SimpleGrid>
  );
}

function ModelCost({ model, cost }: NonNullable<Analytics['cost']>['models'][number]) {
  const { id: projectId } = useProject();
  if (cost !== null) return formatAmount(cost);
  if (isBuiltIn(model)) return 'built in';
  return (
    <Anchor component={Link} href={`/${projectId}/usage`} underline="always" inherit>
      no price
    </Anchor>
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

/** Formats the mean rating with the number of ratings: `4.5 (12)`. */
function formatRating({ ratings, meanRating }: { ratings: number; meanRating: number | null }) {
  return meanRating === null ? '–' : `${meanRating.toFixed(1)} (${formatCount(ratings)})`;
}
