import { Group, Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './row-list.module.css';

/** A list of rows with actions. Unlike a table, it fits on a phone. */
export function RowList({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}) {
  return (
    <Paper withBorder component="ul" className={classes.list} aria-label={label}>
      {children}
    </Paper>
  );
}

export function Row({
  children,
  actions,
}: {
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}) {
  return (
    <li className={classes.row}>
      <div className={classes.facts}>{children}</div>
      {actions && <Group gap="xs">{actions}</Group>}
    </li>
  );
}
