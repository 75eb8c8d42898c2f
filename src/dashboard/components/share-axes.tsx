import { formatPercent } from '../format/format-numbers.ts';
import classes from './chart.module.css';

/**
 * Grid and labels of a chart whose two axes are shares from 0 to 1. `x` and `y` return the place of a share, in pixels.
 * `height` is that of the chart.
 */
export function ShareAxes({
  x,
  y,
  height,
}: {
  readonly x: (share: number) => number;
  readonly y: (share: number) => number;
  readonly height: number;
}) {
  return [0, 0.5, 1].map((share) => (
    <g key={share}>
      <line className={classes.grid} x1={x(0)} x2={x(1)} y1={y(share)} y2={y(share)} />
      <text className={classes.label} x={x(0) - 6} y={y(share) + 4} textAnchor="end">
        {formatPercent(share)}
      </text>
      <text className={classes.label} x={x(share)} y={height - 6} textAnchor="middle">
        {formatPercent(share)}
      </text>
    </g>
  ));
}
