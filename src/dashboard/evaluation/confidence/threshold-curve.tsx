import { Table, Text } from '@mantine/core';
import { ChartTable } from '../../components/chart-table.tsx';
import {
  minMeasuredAnswers,
  type ThresholdLine,
  ThresholdPlot,
} from '../../components/threshold-plot.tsx';
import { formatCount, formatPercent, formatShare } from '../../format/format-numbers.ts';
import type { ProjectConfidence, ThresholdPoint } from './confidence-query.ts';

interface Share extends Pick<ThresholdLine, 'label' | 'color' | 'dash'> {
  /** Column of the table. */
  readonly title: string;
  readonly of: (point: ThresholdPoint) => number | null;
}

/** Difference between two rows of the table, in percent. */
const tableStep = 5;

/** Shows what each confidence threshold achieves, and what it costs in refusals. Marks the current one. */
export function ThresholdCurve({
  confidence: { curve, current, answers },
}: {
  readonly confidence: ProjectConfidence;
}) {
  if (answers < minMeasuredAnswers) {
    return (
      <Text size="sm" c="dimmed">
        From {minMeasuredAnswers} answers on, a chart shows what each confidence threshold achieves.
      </Text>
    );
  }
  const shares = sharesOf(current).filter(({ of }) => curve.some((point) => of(point) !== null));
  const lines = shares.map(({ of, ...line }) => ({
    ...line,
    points: curve.map((point) => ({ threshold: point.threshold, share: of(point) })),
  }));
  return (
    <>
      <Text size="sm" c="dimmed">
        Shares (upwards) at each confidence threshold (to the right). The vertical line is the
        current one.
      </Text>
      <ThresholdPlot lines={lines} threshold={current.threshold} />
      <ChartTable label="Confidence thresholds">
        <CurveTable
          shares={shares}
          points={curve.filter((_, percent) => percent % tableStep === 0)}
        />
      </ChartTable>
    </>
  );
}

function sharesOf({ answerable, questions }: ProjectConfidence['current']): readonly Share[] {
  return [
    {
      title: 'Wrong',
      label: 'Wrong: share of the given answers that are wrong',
      color: 'var(--mantine-color-red-6)',
      of: ({ answers, wrong }) => shareOf(wrong, answers),
    },
    {
      title: 'Refused, end users',
      label: 'Refused: share of the questions of end users',
      color: 'var(--mantine-color-cyan-6)',
      dash: '6 3',
      of: ({ questionsRefused }) => shareOf(questionsRefused, questions),
    },
    {
      title: 'Refused, sets',
      label: 'Refused: share of the questions of the sets that the documents answer',
      color: 'var(--mantine-color-orange-6)',
      dash: '2 3',
      of: ({ answerableRefused }) => shareOf(answerableRefused, answerable),
    },
  ];
}

const shareOf = (part: number, whole: number) => (whole === 0 ? null : part / whole);

function CurveTable({
  shares,
  points,
}: {
  readonly shares: readonly Share[];
  readonly points: readonly ThresholdPoint[];
}) {
  return (
    <Table fz="xs" stickyHeader>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Confidence threshold</Table.Th>
          <Table.Th ta="right">Given answers</Table.Th>
          {shares.map(({ title }) => (
            <Table.Th key={title} ta="right">
              {title}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {points.map((point) => (
          <Table.Tr key={point.threshold}>
            <Table.Th scope="row" fw={400}>
              {formatPercent(point.threshold)}
            </Table.Th>
            <Table.Td ta="right">{formatCount(point.answers)}</Table.Td>
            {shares.map(({ title, of }) => (
              <Table.Td key={title} ta="right">
                {formatShare(of(point))}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
