import { Badge } from '@mantine/core';
import type { Run } from './run-operations.ts';

const badges = {
  QUEUED: { color: 'gray', label: 'waiting' },
  RUNNING: { color: 'blue', label: 'running' },
  DONE: { color: 'green', label: 'done' },
  FAILED: { color: 'red', label: 'failed' },
  CANCELLED: { color: 'gray', label: 'cancelled' },
} as const satisfies Readonly<Record<Run['status'], object>>;

/** Marks of a scheduled run: that it is one, and whether it is outside its bounds. */
export function ScheduledRunBadges({
  run: { isScheduled, failedBounds },
}: {
  readonly run: Pick<Run, 'isScheduled' | 'failedBounds'>;
}) {
  if (!isScheduled) return null;
  return (
    <>
      <Badge variant="outline" color="gray" style={{ flexShrink: 0 }}>
        scheduled
      </Badge>
      {failedBounds !== null && failedBounds.length > 0 && (
        <Badge variant="light" color="red" style={{ flexShrink: 0 }}>
          outside its bounds
        </Badge>
      )}
    </>
  );
}

export function RunBadge({ status }: Pick<Run, 'status'>) {
  const { color, label } = badges[status];
  return (
    <Badge variant="light" color={color} style={{ flexShrink: 0 }}>
      {label}
    </Badge>
  );
}
