import { Group, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import classes from './chart.module.css';
import { ShareAxes } from './share-axes.tsx';

/** Minimum number of rated or judged answers for shares. With fewer, every further one would change them too much. */
export const minMeasuredAnswers = 20;

/** A share that depends on the confidence threshold. */
export interface ThresholdLine {
  /** Text of the legend. */
  readonly label: string;
  /** A color of CSS. */
  readonly color: string;
  /** Pattern of the line, as in SVG. Default: not broken. */
  readonly dash?: string;
  /** Thresholds and shares are 0 to 1. A share is null if there is nothing to measure. */
  readonly points: readonly { readonly threshold: number; readonly share: number | null }[];
}

const height = 180;
const [left, right, top, bottom] = [52, 12, 8, 22];
const y = (share: number) => top + (1 - share) * (height - top - bottom);

/**
 * Draws shares (upwards) by confidence threshold (to the right), and marks one threshold. The plot is hidden from
 * screen readers, which read a table instead.
 */
export function ThresholdPlot({
  lines,
  threshold,
}: {
  readonly lines: readonly ThresholdLine[];
  readonly threshold: number;
}) {
  const { ref, width } = useElementSize();
  const x = (value: number) => left + value * Math.max(0, width - left - right);
  return (
    <>
      <Group gap="md">
        {lines.map(({ label, color }) => (
          <Text key={label} size="xs">
            <span className={classes.key} style={{ background: color }} />
            {label}
          </Text>
        ))}
      </Group>
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
            {lines.map(({ label, color, dash, points }) => (
              <polyline
                key={label}
                fill="none"
                stroke={color}
                strokeWidth={2}
                strokeDasharray={dash}
                points={points
                  .flatMap(({ threshold, share }) =>
                    share === null ? [] : [`${x(threshold)},${y(share)}`],
                  )
                  .join(' ')}
              />
            ))}
          </svg>
        )}
      </div>
    </>
  );
}
