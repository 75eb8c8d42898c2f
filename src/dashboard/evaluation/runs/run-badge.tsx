import { Badge } from '@mantine/core';
import type { Run } from './run-operations.ts';

const badges = {
  QUEUED: { color: 'gray', label: 'waiting' },
  RUNNING: { color: 'blue', label: 'running' },
  DONE: { color: 'green', label: 'done' },
  FAILED: { color: 'red', label: 'failed' },
  CANCELLED: { color: 'gray', label: 'cancelled' },
} as const satisfies Readonly<Record<Run['status'], object>>;

export function RunBadge({ status }: Pick<Run, 'status'>) {
  const { color, label } = badges[status];
  return (
    <Badge variant="light" color={color} style={{ flexShrink: 0 }}>
      {label}
    </Badge>
  );
}
