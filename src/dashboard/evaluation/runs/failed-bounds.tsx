import { Alert, List } from '@mantine/core';
import { figureText, formatBound } from './figure-texts.ts';
import type { Run } from './run-operations.ts';

/** The figures of a scheduled run that are worse than their bounds. Nothing if there are none. */
export function FailedBounds({ run: { failedBounds } }: { readonly run: Run }) {
  if (failedBounds === null || failedBounds.length === 0) return null;
  return (
    <Alert color="red" title="Outside its bounds">
      <List size="sm">
        {failedBounds.map(({ figure, bound, value }) => {
          const { label, format } = figureText(figure);
          return (
            <List.Item key={figure}>
              {label}: {format(value)}, must be {formatBound(figure, bound)}
            </List.Item>
          );
        })}
      </List>
    </Alert>
  );
}
