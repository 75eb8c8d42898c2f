import { Stack, Table, Text } from '@mantine/core';
import { ChartTable } from '../../components/chart-table.tsx';
import {
  minMeasuredAnswers,
  type ThresholdLine,
  ThresholdPlot,
} from '../../components/threshold-plot.tsx';
import {
  formatCount,
  formatCountOf,
  formatPercent,
  formatShare,
} from '../../format/format-numbers.ts';
import type { RatedConfidence, ThresholdPoint } from './answer-operations.ts';

/** Difference between two rows of the table, in percent. */
const tableStep = 5;

/** Shows how this threshold would have changed the answers of the last 90 days. */
export function ThresholdEffect({
  confidence,
  threshold,
}: {
  readonly confidence: RatedConfidence;
  readonly threshold: number;
}) {
  const { curve, answers: ratedAnswers } = confidence;
  const { questions } = confidence.current;
  const point = curve[Math.round(threshold * (curve.length - 1))];
  if (point === undefined) return null;
  const isMeasured = ratedAnswers >= minMeasuredAnswers;
  return (
    <Stack gap="sm" role="group" aria-label="Effect of the confidence threshold">
      <Text size="sm" role="status">
        {threshold === 0
          ? 'Without a confidence threshold, '
          : `With a confidence threshold of ${formatPercent(threshold)}, `}
        {questions === 0
          ? 'there were no questions in the last 90 days.'
          : `${describeShare(questions - point.questionsRefused, questions, 'question')} of the last 90 days would have been answered.`}
        {isMeasured &&
          ` ${describeShare(point.answers, ratedAnswers, 'rated answer')} would have been given. ${describeHelpful(point)}`}
      </Text>
      {isMeasured ? (
        <MeasuredCurve confidence={confidence} threshold={threshold} />
      ) : (
        <Text size="sm" c="dimmed">
          <strong>Not enough ratings yet.</strong> {formatCountOf(ratedAnswers, 'rating')} in the
          last 90 days. From {minMeasuredAnswers} ratings on, a chart shows how many answers each
          confidence threshold keeps and how many of them were helpful. End users rate answers in
          the widget.
        </Text>
      )}
    </Stack>
  );
}

function MeasuredCurve({
  confidence,
  threshold,
}: {
  readonly confidence: RatedConfidence;
  readonly threshold: number;
}) {
  return (
    <>
      <ThresholdPlot lines={linesOf(confidence)} threshold={threshold} />
      <Text size="xs" c="dimmed">
        Computed from the ratings of end users. Answers that a confidence threshold prevented have
        no ratings, so the effect of a lower one is not measured.
      </Text>
      <ChartTable label="Confidence thresholds">
        <CurveTable confidence={confidence} />
      </ChartTable>
    </>
  );
}

function linesOf({ curve, answers }: RatedConfidence): readonly ThresholdLine[] {
  return [
    {
      label: 'Helpful: share of the given answers that were rated helpful',
      color: 'var(--mantine-color-cyan-6)',
      points: curve.map((point) => ({ threshold: point.threshold, share: helpfulShare(point) })),
    },
    {
      label: 'Given: share of the rated answers that would still be given',
      color: 'var(--mantine-color-orange-6)',
      dash: '6 3',
      points: curve.map((point) => ({
        threshold: point.threshold,
        share: point.answers / answers,
      })),
    },
  ];
}

function CurveTable({ confidence }: { readonly confidence: RatedConfidence }) {
  const { curve, answers, current } = confidence;
  const rows = curve.filter((_, percent) => percent % tableStep === 0);
  return (
    <Table fz="xs" stickyHeader>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Confidence threshold</Table.Th>
          <Table.Th ta="right">Rated answers</Table.Th>
          <Table.Th ta="right">Given</Table.Th>
          <Table.Th ta="right">Helpful</Table.Th>
          <Table.Th ta="right">All answers</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((point) => (
          <Table.Tr key={point.threshold}>
            <Table.Th scope="row" fw={400}>
              {formatPercent(point.threshold)}
            </Table.Th>
            <Table.Td ta="right">{formatCount(point.answers)}</Table.Td>
            <Table.Td ta="right">{formatPercent(point.answers / answers)}</Table.Td>
            <Table.Td ta="right">{formatShare(helpfulShare(point))}</Table.Td>
            <Table.Td ta="right">
              {formatCount(current.questions - point.questionsRefused)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Returns the share of the given answers that were rated helpful. Null if none would be given. */
function helpfulShare({ answers, wrong }: ThresholdPoint): number | null {
  return answers === 0 ? null : (answers - wrong) / answers;
}

/** Formats a part of a whole as in "18 of 24 rated answers (75 %)". */
function describeShare(part: number, whole: number, noun: string): string {
  return `${formatCount(part)} of ${formatCountOf(whole, noun)} (${formatPercent(part / whole)})`;
}

function describeHelpful(point: ThresholdPoint): string {
  const share = helpfulShare(point);
  if (share === null) return '';
  return `Of these, ${formatCount(point.answers - point.wrong)} were helpful (${formatPercent(share)}).`;
}
