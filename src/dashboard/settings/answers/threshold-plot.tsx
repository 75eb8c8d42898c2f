import { useElementSize } from '@mantine/hooks';
import classes from '../../components/chart.module.css';
import { ShareAxes } from '../../components/share-axes.tsx';
import type { RatedConfidence, ThresholdPoint } from './answer-operations.ts';

/** Returns the share of the given answers that were rated helpful. Null if none would be given. */
export function helpfulShare({ answers, wrong }: ThresholdPoint): number | null {
  return answers === 0 ? null : (answers - wrong) / answers;
}

/** The lines of the chart, with their labels in the legend. */
export const curveLines = [
  {
    label: 'Helpful: share of the given answers that were rated helpful',
    color: 'var(--mantine-color-cyan-6)',
    dash: undefined,
    shareOf: helpfulShare,
  },
  {
    label: 'Given: share of the rated answers that would still be given',
    color: 'var(--mantine-color-orange-6)',
    dash: '6 3',
    shareOf: ({ answers }: ThresholdPoint, all: number) => answers / all,
  },
] as const;

const height = 180;
const [left, right, top, bottom] = [52, 12, 8, 22];
const y = (share: number) => top + (1 - share) * (height - top - bottom);

/** Draws the curve. It is hidden from screen readers, which read the table instead. */
export function ThresholdPlot({
  confidence: { curve, answers },
  threshold,
}: {
  readonly confidence: RatedConfidence;
  readonly threshold: number;
}) {
  const { ref, width } = useElementSize();
  const x = (value: number) => left + value * Math.max(0, width - left - right);
  return (
    <div ref={ref} className={classes.plot}>
      {width > 0 && (
        <svg width={width} height={height} aria-hidden>
          <ShareAxes x={x} y={y} height={height} />
          <line
            className={classes.marker}
            x1={x(threshold)}
            x2={x(threshold)}
            y1={top}
            y2={height - bottom}
          />
          {curveLines.map(({ label, color, dash, shareOf }) => (
            <polyline
              key={label}
              fill="none"
              stroke={color}
              strokeWidth={2}
              strokeDasharray={dash}
              points={curve
                .flatMap((point) => {
                  const value = shareOf(point, answers);
                  return value === null ? [] : [`${x(point.threshold)},${y(value)}`];
                })
                .join(' ')}
            />
          ))}
        </svg>
      )}
    </div>
  );
}
