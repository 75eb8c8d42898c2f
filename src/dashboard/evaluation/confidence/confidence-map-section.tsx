import { Stack, Table, Text, Title } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import classes from '../../components/chart.module.css';
import { ChartTable } from '../../components/chart-table.tsx';
import { ShareAxes } from '../../components/share-axes.tsx';
import { formatPercent } from '../../format/format-numbers.ts';
import { reliabilityGeometry } from '../runs/reliability-geometry.ts';
import type { ConfidenceMap, ProjectConfidence } from './confidence-query.ts';

/** Shows the share of accepted answers at each confidence. */
export function ConfidenceMapSection({ confidence }: { readonly confidence: ProjectConfidence }) {
  const { map, mapNeeds } = confidence;
  return (
    <Stack component="section" gap="xs" aria-labelledby="meaning">
      <Title order={3} size="h5" id="meaning">
        What a confidence means here
      </Title>
      {map === null ? (
        <Text size="sm" c="dimmed">
          <strong>Not enough answers yet.</strong> From {mapNeeds.answers} answers on,{' '}
          {mapNeeds.ofEach} of them accepted and {mapNeeds.ofEach} not, a chart shows how many
          answers of each confidence are accepted.
        </Text>
      ) : (
        <MeasuredMap map={map} />
      )}
    </Stack>
  );
}

function MeasuredMap({ map }: { readonly map: ConfidenceMap }) {
  return (
    <>
      <Text size="sm">{describeVerdict(map)}</Text>
      <Text size="sm" c="dimmed">
        Share of accepted answers (upwards) for each confidence (to the right), with its 95 %
        interval. The dashed line is the confidence itself.
      </Text>
      <MapPlot points={map.points} />
      <ChartTable label="Accepted answers by confidence">
        <MapTable points={map.points} />
      </ChartTable>
    </>
  );
}

function describeVerdict({
  verdict,
  calibrationErrorBefore,
  calibrationErrorAfter,
}: ConfidenceMap): string {
  const finding =
    verdict === 'BETTER'
      ? 'In this project, the curve is more accurate than the confidence.'
      : 'So many answers cannot show that the curve is more accurate than the confidence.';
  return `${finding} The share of accepted answers differs from the confidence by ${formatPercent(calibrationErrorBefore)} on average, and from the curve by ${formatPercent(calibrationErrorAfter)}, for answers that it was not fitted to.`;
}

const height = 180;
const margins = { left: 52, right: 20, top: 18, bottom: 22 };

/** Draws the curve. It is hidden from screen readers, which read the table instead. */
function MapPlot({ points }: { readonly points: ConfidenceMap['points'] }) {
  const { ref, width } = useElementSize();
  const { x, y, diagonal } = reliabilityGeometry([], { width, height, ...margins });
  const line = (name: 'accepted' | 'low' | 'high') =>
    points.map((point) => `${x(point.confidence)},${y(point[name])}`);
  return (
    <div ref={ref} className={classes.plot} style={{ maxWidth: 560 }}>
      {width > 0 && (
        <svg width={width} height={height} aria-hidden>
          <ShareAxes x={x} y={y} height={height} />
          <polygon
            fill="var(--mantine-color-cyan-6)"
            opacity={0.2}
            points={[...line('low'), ...line('high').reverse()].join(' ')}
          />
          <polyline
            fill="none"
            stroke="var(--mantine-color-cyan-6)"
            strokeWidth={2}
            points={line('accepted').join(' ')}
          />
          <line className={classes.marker} strokeDasharray="4 3" {...diagonal} />
        </svg>
      )}
    </div>
  );
}

function MapTable({ points }: { readonly points: ConfidenceMap['points'] }) {
  return (
    <Table fz="xs" stickyHeader>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Confidence</Table.Th>
          <Table.Th ta="right">Accepted</Table.Th>
          <Table.Th ta="right">95 % interval</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {points.map(({ confidence, accepted, low, high }) => (
          <Table.Tr key={confidence}>
            <Table.Th scope="row" fw={400}>
              {formatPercent(confidence)}
            </Table.Th>
            <Table.Td ta="right">{formatPercent(accepted)}</Table.Td>
            <Table.Td ta="right">
              {formatPercent(low)} to {formatPercent(high)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
