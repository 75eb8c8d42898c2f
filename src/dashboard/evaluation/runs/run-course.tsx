import { formatPercent } from '../../format/format-numbers.ts';
import { DayChart } from '../../usage/day-chart.tsx';
import { runName, triedSettings } from './describe-run.ts';
import { figureTexts } from './figure-texts.ts';
import type { ListedRun } from './run-operations.ts';

/** Shares that are better if they are higher, with the colors of their lines. */
const lines = [
  { name: 'containsExpected', color: 'cyan' },
  { name: 'firstCitationRight', color: 'orange' },
  { name: 'modelRight', color: 'indigo' },
  { name: 'refusedRight', color: 'grape' },
] as const;

const shortTime = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  // Three times fit below the chart on a phone.
  hourCycle: 'h23',
});

const axis = {
  heading: 'Run',
  short: (time: string) => shortTime.format(new Date(time)),
  full: (createdAt: string) => runName({ createdAt }),
};

/**
 * Draws the figures of runs over time. Only runs with the settings of the project, because runs that try other settings
 * do not show whether the project became better. Draws nothing for fewer than two of them.
 */
export function RunCourse({ runs }: { /** Newest first. */ readonly runs: readonly ListedRun[] }) {
  const measured = runs
    .flatMap((run) =>
      run.figures === null || triedSettings(run).length > 0
        ? []
        : [{ ...run, figures: run.figures }],
    )
    .reverse();
  const series = lines
    .map(({ name, color }) => ({
      ...{ label: figureTexts[name].label, color },
      values: measured.map(({ figures }) => figures[name]),
    }))
    .filter(({ values }) => values.some((value) => value !== null));
  if (measured.length < 2 || series.length === 0) return null;
  return (
    <DayChart
      title="Course of the figures"
      text="Latest runs with the settings of the project, from the oldest to the newest"
      type="lines"
      days={measured.map(({ createdAt }) => createdAt)}
      axis={axis}
      format={formatPercent}
      series={series}
    />
  );
}
