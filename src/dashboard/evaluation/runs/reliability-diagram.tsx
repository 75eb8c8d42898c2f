import { Stack, Table, Text, Title } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import classes from '../../components/chart.module.css';
import { ChartTable } from '../../components/chart-table.tsx';
import { ShareAxes } from '../../components/share-axes.tsx';
import { formatCompactNumber, formatCount, formatPercent } from '../../format/format-numbers.ts';
import { type ReliabilityBin, reliabilityGeometry } from './reliability-geometry.ts';

/** Shows whether the confidence is right: of the answers with a confidence of 70 %, 70 % should be answerable. */
export function ReliabilityDiagram({ bins }: { readonly bins: readonly ReliabilityBin[] }) {
  if (bins.length === 0) return null;
  return (
    <Stack component="section" gap="xs" aria-labelledby="reliability">
      <Title order={3} size="h5" id="reliability">
        Reliability of the confidence
      </Title>
      <Text size="sm" c="dimmed">
        Share of answerable questions (upwards) for each step of confidence (to the right), with the
        number of questions above each bar. The confidence is reliable if the bars end at the dashed
        line.
      </Text>
      <ReliabilityPlot bins={bins} />
      <ChartTable label="Steps of confidence">
        <ReliabilityTable bins={bins} />
      </ChartTable>
    </Stack>
  );
}

const height = 180;
const margins = { left: 52, right: 20, top: 18, bottom: 22 };

/** Draws the bars. It is hidden from screen readers, which read the table instead. */
function ReliabilityPlot({ bins }: { readonly bins: readonly ReliabilityBin[] }) {
  const { ref, width } = useElementSize();
  const { x, y, bars, diagonal } = reliabilityGeometry(bins, { width, height, ...margins });
  return (
    <div ref={ref} className={classes.plot} style={{ maxWidth: 560 }}>
      {width > 0 && (
        <svg width={width} height={height} aria-hidden>
          <ShareAxes x={x} y={y} height={height} />
          {bars.map(({ bin, x, y, width, height }) => (
            <rect
              key={bin.from}
              fill="var(--mantine-color-cyan-6)"
              x={x}
              y={y}
              width={width}
              height={height}
            />
          ))}
          <line className={classes.marker} strokeDasharray="4 3" {...diagonal} />
          {bars.map(({ bin, label }) => (
            <text key={bin.from} className={classes.count} {...label} textAnchor="middle">
              {formatCompactNumber(bin.n)}
            </text>
          ))}
        </svg>
      )}
    </div>
  );
}

function ReliabilityTable({ bins }: { readonly bins: readonly ReliabilityBin[] }) {
  return (
    <Table fz="xs" stickyHeader>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Confidence</Table.Th>
          <Table.Th ta="right">Questions</Table.Th>
          <Table.Th ta="right">Mean confidence</Table.Th>
          <Table.Th ta="right">Answerable</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {bins.map(({ from, to, n, meanConfidence, right }) => (
          <Table.Tr key={from}>
            <Table.Th scope="row" fw={400}>
              {formatPercent(from)} to {formatPercent(to)}
            </Table.Th>
            <Table.Td ta="right">{formatCount(n)}</Table.Td>
            <Table.Td ta="right">{formatPercent(meanConfidence)}</Table.Td>
            <Table.Td ta="right">{formatPercent(right)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
