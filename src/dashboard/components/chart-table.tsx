import type { ReactNode } from 'react';
import classes from './chart.module.css';

/** The values of a chart as a table, below the chart. Screen readers read it instead of the chart. */
export function ChartTable({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}) {
  return (
    <details>
      <summary className={classes.summary}>Show as a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
      <section className={classes.table} tabIndex={0} aria-label={label}>
        {children}
      </section>
    </details>
  );
}
