import type { ReactNode } from 'react';
import classes from './chart.module.css';

interface Props {
  readonly label: string;
  /** The table. */
  readonly children: ReactNode;
}

/** The values of a chart as a table, below the chart. Screen readers read it instead of the chart. */
export function ChartTable(props: Props) {
  return (
    <details>
      <summary className={classes.summary}>Show as a table</summary>
      <ScrolledTable {...props} />
    </details>
  );
}

/** A table that scrolls in both directions if it is larger than its place. */
export function ScrolledTable({ label, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    <section className={classes.table} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
