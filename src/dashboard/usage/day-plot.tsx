import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useState } from 'react';
import { axisEnd } from './chart-scale.ts';
import classes from './day-chart.module.css';

interface Series {
  readonly label: string;
  /** A colour of the theme, such as `cyan`. */
  readonly color: string;
  /** One for each day; null where there is nothing to be measured. */
  readonly values: readonly (number | null)[];
}

export interface Chart {
  /** Each as `2026-11-21`. */
  readonly days: readonly string[];
  /** Bars stand on one another; lines do not. */
  readonly type: 'bars' | 'lines';
  readonly series: readonly Series[];
  readonly say: (value: number) => string;
}

const height = 180;
const [left, right, top, bottom] = [52, 4, 8, 22];
const dayName = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const sayDay = (day: string) => dayName.format(new Date(day));
export const colorOf = ({ color }: Series) => `var(--mantine-color-${color}-6)`;

/** What is drawn. Nobody is told of it who does not see it: there is a table. */
export function DayPlot(chart: Chart) {
  const { days, type, series, say } = chart;
  const { ref, width } = useElementSize();
  const [pointed, setPointed] = useState<number | null>(null);
  const heights = days.map((_, day) => {
    const values = series.map(({ values }) => values[day] ?? 0);
    return type === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  });
  const end = axisEnd(Math.max(0, ...heights));
  const step = Math.max(0, width - left - right) / days.length;
  const scale: Scale = {
    x: (day) => left + day * step,
    y: (value) => top + (1 - value / end) * (height - top - bottom),
    step,
  };
  const point = (event: PointerEvent) => {
    const { left: start } = event.currentTarget.getBoundingClientRect();
    const day = Math.floor((event.clientX - start - left) / step);
    setPointed(day >= 0 && day < days.length ? day : null);
  };
  return (
    <div
      ref={ref}
      className={classes.plot}
      onPointerMove={point}
      onPointerLeave={() => setPointed(null)}
    >
      {width > 0 && (
        <svg width={width} height={height} aria-hidden>
          {[0, end / 2, end].map((value) => (
            <g key={value}>
              <line
                className={classes.grid}
                x1={left}
                x2={width - right}
                y1={scale.y(value)}
                y2={scale.y(value)}
              />
              <text className={classes.label} x={left - 6} y={scale.y(value) + 4} textAnchor="end">
                {say(value)}
              </text>
            </g>
          ))}
          {pointed !== null && (
            <rect
              className={classes.pointed}
              x={scale.x(pointed)}
              y={top}
              width={step}
              height={height - top - bottom}
            />
          )}
          {type === 'bars' ? <Bars {...chart} scale={scale} /> : <Lines {...chart} scale={scale} />}
          {labelledDays(days.length).map(({ day, anchor }) => (
            <text
              key={day}
              className={classes.label}
              x={scale.x(day) + (anchor === 'start' ? 0 : anchor === 'end' ? step : step / 2)}
              y={height - 6}
              textAnchor={anchor}
            >
              {sayDay(days[day] ?? '')}
            </text>
          ))}
        </svg>
      )}
      {pointed !== null && (
        <div
          className={classes.tooltip}
          aria-hidden
          style={
            pointed < days.length / 2
              ? { left: scale.x(pointed + 1) + 8 }
              : { right: width - scale.x(pointed) + 8 }
          }
        >
          <strong>{sayDay(days[pointed] ?? '')}</strong>
          {series.map((one) => (
            <div key={one.label}>
              {one.label}: {sayValue(one.values[pointed], say)}
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
  /** The width of a day. */
  readonly step: number;
}

function Bars({ days, series, scale }: Chart & { readonly scale: Scale }) {
  const gap = scale.step > 6 ? 2 : 0;
  return days.map((day, at) => {
    let sum = 0;
    return (
      <g key={day}>
        {series.map((one) => {
          const from = sum;
          sum += one.values[at] ?? 0;
          return (
            <rect
              key={one.label}
              fill={colorOf(one)}
              x={scale.x(at) + gap / 2}
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

/** A line ends where a day has no value; a day alone is a dot. */
function Lines({ series, scale }: Chart & { readonly scale: Scale }) {
  return series.map((one) => {
    const stretches = stretchesOf(one.values).map((stretch) =>
      stretch.map(([day, value]) => [scale.x(day) + scale.step / 2, scale.y(value)] as const),
    );
    return (
      <g key={one.label} stroke={colorOf(one)} fill={colorOf(one)}>
        {stretches.map((points) => {
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

function stretchesOf(values: Series['values']): (readonly [number, number])[][] {
  const stretches: [number, number][][] = [[]];
  for (const [day, value] of values.entries()) {
    if (value === null) stretches.push([]);
    else stretches.at(-1)?.push([day, value]);
  }
  return stretches.filter(({ length }) => length > 0);
}

/** The first, the middle and the last, as far as they are different. */
function labelledDays(count: number) {
  const ends = [
    { day: 0, anchor: 'start' },
    { day: count - 1, anchor: 'end' },
  ] as const;
  return count < 5 ? ends : [...ends, { day: Math.floor(count / 2), anchor: 'middle' } as const];
}

export function sayValue(value: number | null | undefined, say: (value: number) => string): string {
  return value == null ? '–' : say(value);
}
