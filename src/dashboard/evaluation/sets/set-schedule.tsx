import { Group, Text } from '@mantine/core';
import { RelativeTime } from '../../components/relative-time.tsx';
import { formatCountOf } from '../../format/format-numbers.ts';
import { figureTexts, formatBound } from '../runs/figure-texts.ts';
import { boundNames } from './bound-fields.ts';
import type { SetSchedule } from './set-operations.ts';

/** When the set is asked, and what its figures must be. */
export function SetScheduleText({ schedule }: { readonly schedule: SetSchedule }) {
  const { everyHours, nextRunAt, bounds } = schedule;
  const texts = boundNames.flatMap((name) => {
    const bound = bounds[name];
    return bound === null ? [] : [`${figureTexts[name].label} ${formatBound(name, bound)}`];
  });
  return (
    <div>
      <Group gap={4}>
        <Text size="sm" c="dimmed">
          Asked {describeInterval(everyHours)}, next
        </Text>
        <RelativeTime at={nextRunAt} size="sm" c="dimmed" />
      </Group>
      <Text size="sm" c="dimmed">
        {texts.length === 0 ? 'No bounds' : `Bounds: ${texts.join(' · ')}`}
      </Text>
    </div>
  );
}

function describeInterval(everyHours: number): string {
  if (everyHours === 24) return 'every day';
  if (everyHours === 168) return 'every week';
  return everyHours === 1 ? 'every hour' : `every ${formatCountOf(everyHours, 'hour')}`;
}
