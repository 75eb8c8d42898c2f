import { Badge, Group } from '@mantine/core';
import { IconAlertTriangle, IconClock } from '@tabler/icons-react';
import { useNow } from '../components/use-now.ts';
import { type ClockState, type HandoffTimes, readClocks } from './handoff-clocks.ts';

/** For the list: shows only the clocks of a handoff that are near or past their due time. */
export function UrgentClocks({ handoff }: { readonly handoff: HandoffTimes }) {
  return <ClockBadges handoff={handoff} states={['near', 'overdue', 'late']} size="sm" />;
}

/** For the conversation: also shows the clocks that have time left. */
export function AllClocks({ handoff }: { readonly handoff: HandoffTimes }) {
  return (
    <ClockBadges handoff={handoff} states={['running', 'near', 'overdue', 'late']} size="md" />
  );
}

function ClockBadges({
  handoff,
  states,
  size,
}: {
  readonly handoff: HandoffTimes;
  readonly states: readonly ClockState['state'][];
  readonly size: 'sm' | 'md';
}) {
  const clocks = readClocks(handoff, useNow()).filter(({ state }) => states.includes(state));
  if (clocks.length === 0) return null;
  return (
    <Group gap={6} mt={4}>
      {clocks.map((clock) => {
        const { color, Icon } = looks[clock.state];
        return (
          <Badge
            key={clock.kind}
            size={size}
            variant="light"
            tt="none"
            color={color}
            leftSection={<Icon size={12} aria-hidden />}
          >
            {describe(clock)}
          </Badge>
        );
      })}
    </Group>
  );
}

const looks = {
  running: { color: 'gray', Icon: IconClock },
  near: { color: 'yellow', Icon: IconClock },
  overdue: { color: 'red', Icon: IconAlertTriangle },
  late: { color: 'gray', Icon: IconAlertTriangle },
} as const;

const names = { reply: 'Reply', resolution: 'Resolution' };

function describe({ kind, state, distanceMs }: ClockState): string {
  const name = names[kind];
  switch (state) {
    case 'running':
    case 'near':
      return `${name} due in ${formatDistance(distanceMs)}`;
    case 'overdue':
      return `${name} overdue by ${formatDistance(distanceMs)}`;
    case 'late':
      return `${name} was late`;
  }
}

/** Formats times below two hours in minutes, and times below two days in hours. */
function formatDistance(milliseconds: number): string {
  const minutes = Math.max(1, Math.round(milliseconds / 60_000));
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
