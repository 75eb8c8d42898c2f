import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useState } from 'react';
import classes from '../components/chart.module.css';
import { niceAxisMax } from './chart-scale.ts';

interface Series {
  readonly label: string;
  /** A color of the theme, for example `cyan`. */
  readonly color: string;
  /** One value per day. Null for a day without a measurement. */
  readonly values: readonly (number | null)[];
}

/** Words for the values of the horizontal axis, which are ISO dates or times. */
interface Axis {
  /** Heading of the table's first column. */
  readonly heading: string;
  /** Text below the chart and in its tooltip. */
  readonly short: (day: string) => string;
  /** Text in the table. */
  readonly full: (day: string) => string;
}

export interface Chart {
  /** ISO dates, for example `2026-11-21`, or ISO times. */
  readonly days: readonly string[];
  /** Default: the values are days. */
  readonly axis?: Axis;
  /** `bars` stacks the series of a day in one bar. */
  readonly type: 'bars' | 'lines';
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
}

const height = 180;
const [left, right, top, bottom] = [52, 4, 8, 22];
const dayFormat = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
export const dayAxis: Axis = {
  heading: 'Day (UTC)',
  short: (day) => dayFormat.format(new Date(day)),
  full: (day) => day,
};
export const colorOf = ({ color }: Series) => `var(--mantine-color-${color}-6)`;

/** Draws the chart. It is hidden from screen readers, which read the table instead. */
export function DayPlot(chart: Chart) {
  const { days, axis = dayAxis, type, series, format } = chart;
  const { ref, width } = useElementSize();
  const [hoveredDay, setHoveredDay] = useState<number | null>(null);
  const dayTotals = days.map((_, day) => {
    const values = series.map(({ values }) => values[day] ?? 0);
    return type === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  });
  const axisMax = niceAxisMax(Math.max(0, ...dayTotals));
  const step = Math.max(0, width - left - right) / days.length;
  const scale: Scale = {
    x: (day) => left + day * step,
    y: (value) => top + (1 - value / axisMax) * (height - top - bottom),
    step,
  };
  const onPointerMove = (event: PointerEvent) => {
    const { left: start } = event.currentTarget.getBoundingClientRect();
    const day = Math.floor((event.clientX - start - left) / step);
    setHoveredDay(day >= 0 && day < days.length ? day : null);
  };
  return (
    <div
      ref={ref}
      className={classes.plot}
      onPointerMove={onPointerMove}
      onPointerLeave={() => setHoveredDay(null)}
    >
      {width > 0 && (
        <svg width={width} height={height} aria-hidden>
          {[0, axisMax / 2, axisMax].map((value) => (
            <g key={value}>
              <line
                className={classes.grid}
                x1={left}
                x2={width - right}
                y1={scale.y(value)}
                y2={scale.y(value)}
              />
              <text className={classes.label} x={left - 6} y={scale.y(value) + 4} textAnchor="end">
                {format(value)}
              </text>
            </g>
          ))}
          {hoveredDay !== null && (
            <rect
              className={classes.hovered}
              x={scale.x(hoveredDay)}
              y={top}
              width={step}
              height={height - top - bottom}
            />
          )}
          {type === 'bars' ? <Bars {...chart} scale={scale} /> : <Lines {...chart} scale={scale} />}
          {axisLabelDays(days.length).map(({ day, anchor }) => (
            <text
              key={day}
              className={classes.label}
              x={scale.x(day) + (anchor === 'start' ? 0 : anchor === 'end' ? step : step / 2)}
              y={height - 6}
              textAnchor={anchor}
            >
              {axis.short(days[day] ?? '')}
            </text>
          ))}
        </svg>
      )}
      {hoveredDay !== null && (
        <div
          className={classes.tooltip}
          aria-hidden
          style={
            hoveredDay < days.length / 2
              ? { left: scale.x(hoveredDay + 1) + 8 }
              : { right: width - scale.x(hoveredDay) + 8 }
          }
        >
          <strong>{axis.short(days[hoveredDay] ?? '')}</strong>
          {series.map((item) => (
            <div key={item.label}>
              {item.label}: {formatValue(item.values[hoveredDay], format)}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

interface Scale {
  x(day: number): number;
  y(value: number): number;
  /** Width of a day in pixels. */
  readonly step: number;
}

function Bars({ days, series, scale }: Chart & { readonly scale: Scale }) {
  const gap = scale.step > 6 ? 2 : 0;
  return days.map((day, index) => {
    let sum = 0;
    return (
      <g key={day}>
        {series.map((bar) => {
          const from = sum;
          sum += bar.values[index] ?? 0;
          return (
            <rect
              key={bar.label}
              fill={colorOf(bar)}
              x={scale.x(index) + gap / 2}
              width={Math.max(0.5, scale.step - gap)}
              y={scale.y(sum)}
              height={scale.y(from) - scale.y(sum)}
            />
          );
        })}
      </g>
    );
  });
}

/** Draws one line per series, with a gap at days without a value. A single day between two gaps becomes a dot. */
function Lines({ series, scale }: Chart & { readonly scale: Scale }) {
  return series.map((line) => {
    const segments = segmentsOf(line.values).map((segment) =>
      segment.map(([day, value]) => [scale.x(day) + scale.step / 2, scale.y(value)] as const),
    );
    return (
      <g key={line.label} stroke={colorOf(line)} fill={colorOf(line)}>
        {segments.map((points) => {
          const [[x, y] = [0, 0]] = points;
          return points.length === 1 ? (
            <circle key={x} cx={x} cy={y} r={2.5} />
          ) : (
            <polyline key={x} fill="none" strokeWidth={2} points={points.join(' ')} />
          );
        })}
      </g>
    );
  });
}

function segmentsOf(values: Series['values']): (readonly [number, number])[][] {
  const segments: [number, number][][] = [[]];
  for (const [day, value] of values.entries()) {
    if (value === null) segments.push([]);
    else segments.at(-1)?.push([day, value]);
  }
  return segments.filter(({ length }) => length > 0);
}

/**
 * Returns the days whose labels the axis shows: the first, the last and, if there are at least five days, the middle
 * one.
 */
function axisLabelDays(count: number) {
  const ends = [
    { day: 0, anchor: 'start' },
    { day: count - 1, anchor: 'end' },
  ] as const;
  return count < 5 ? ends : [...ends, { day: Math.floor(count / 2), anchor: 'middle' } as const];
}

export function formatValue(
  value: number | null | undefined,
  format: (value: number) => string,
): string {
  return value == null ? '–' : format(value);
}
