import { Group, Stack, Table, Text } from '@mantine/core';
import classes from '../../components/chart.module.css';
import { formatCount, formatCountOf, formatPercent } from '../../format/format-numbers.ts';
import type { ConfidenceCurve, ConfidencePoint } from './answer-operations.ts';
import { curveLines, ThresholdPlot } from './threshold-plot.tsx';

/** Minimum number of ratings for shares. With fewer ratings, every further rating would change the shares too much. */
const minRatedAnswers = 20;
/** Difference between two rows of the table, in percent. */
const tableStep = 5;

/** Shows how this threshold would have changed the answers of the last 90 days. */
export function ThresholdEffect({
  curve,
  threshold,
}: {
  readonly curve: ConfidenceCurve;
  readonly threshold: number;
}) {
  const { points, ratedAnswers, questions } = curve;
  const point = points[Math.round(threshold * (points.length - 1))];
  if (point === undefined) return null;
  const isMeasured = ratedAnswers >= minRatedAnswers;
  return (
    <Stack gap="sm" role="group" aria-label="Effect of the confidence threshold">
      <Text size="sm" role="status">
        {threshold === 0
          ? 'Without a confidence threshold, '
          : `With a confidence threshold of ${formatPercent(threshold)}, `}
        {questions === 0
          ? 'there were no questions in the last 90 days.'
          : `${describeShare(point.answers, questions, 'question')} of the last 90 days would have been answered.`}
        {isMeasured &&
          ` ${describeShare(point.ratedAnswers, ratedAnswers, 'rated answer')} would have been given. ${describeHelpful(point)}`}
      </Text>
      {isMeasured ? (
        <MeasuredCurve points={points} threshold={threshold} />
      ) : (
        <Text size="sm" c="dimmed">
          <strong>Not enough ratings yet.</strong> {formatCountOf(ratedAnswers, 'rating')} in the
          last 90 days. From {minRatedAnswers} ratings on, a chart shows how many answers each
          confidence threshold keeps and how many of them were helpful. End users rate answers in
          the widget.
        </Text>
      )}
    </Stack>
  );
}

function MeasuredCurve({
  points,
  threshold,
}: {
  readonly points: readonly ConfidencePoint[];
  readonly threshold: number;
}) {
  const rows = points.filter((_, percent) => percent % tableStep === 0);
  return (
    <>
      <Group gap="md">
        {curveLines.map(({ label, color }) => (
          <Text key={label} size="xs">
            <span className={classes.key} style={{ background: color }} />
            {label}
          </Text>
        ))}
      </Group>
      <ThresholdPlot points={points} threshold={threshold} />
      <Text size="xs" c="dimmed">
        Computed from the ratings of end users. Answers that a confidence threshold prevented have
        no ratings, so the effect of a lower one is not measured.
      </Text>
      <details>
        <summary className={classes.summary}>Show as a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
        <section className={classes.table} tabIndex={0} aria-label="Confidence thresholds">
          <CurveTable points={rows} />
        </section>
      </details>
    </>
  );
}

function CurveTable({ points }: { readonly points: readonly ConfidencePoint[] }) {
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
        {points.map(({ threshold, ratedAnswers, coverage, precision, answers }) => (
          <Table.Tr key={threshold}>
            <Table.Th scope="row" fw={400}>
              {formatPercent(threshold)}
            </Table.Th>
            <Table.Td ta="right">{formatCount(ratedAnswers)}</Table.Td>
            <Table.Td ta="right">{formatShare(coverage)}</Table.Td>
            <Table.Td ta="right">{formatShare(precision)}</Table.Td>
            <Table.Td ta="right">{formatCount(answers)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const formatShare = (share: number | null) => (share === null ? '–' : formatPercent(share));

/** Formats a part of a whole as in "18 of 24 rated answers (75 %)". */
function describeShare(part: number, whole: number, noun: string): string {
  return `${formatCount(part)} of ${formatCountOf(whole, noun)} (${formatPercent(part / whole)})`;
}

function describeHelpful({ helpfulAnswers, precision }: ConfidencePoint): string {
  if (precision === null) return '';
  return `Of these, ${formatCount(helpfulAnswers)} were helpful (${formatPercent(precision)}).`;
}
