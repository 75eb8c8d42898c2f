import { ActionIcon, Checkbox, Group, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { IconCopy, IconPlus, IconTrash } from '@tabler/icons-react';
import { type Day, dayName, moreHours, type Opening } from './opening-hours.ts';

/** The hours of one day of the week: none, or several. */
export function DayHours({
  day,
  hours,
  onChange,
  onCopy,
}: {
  readonly day: Day;
  readonly hours: readonly Opening[];
  readonly onChange: (hours: readonly Opening[]) => void;
  /** Gives these hours to the other days that are open. */
  readonly onCopy: () => void;
}) {
  const name = dayName(day);
  const isOpen = hours.length > 0;
  const change = (index: number, part: Partial<Opening>) =>
    onChange(hours.map((opening, at) => (at === index ? { ...opening, ...part } : opening)));
  return (
    <Group role="group" aria-label={name} align="flex-start" gap="sm">
      <Group w={190} mih={30} gap={2} wrap="nowrap">
        <Checkbox
          label={name}
          flex={1}
          checked={isOpen}
          onChange={() => onChange(isOpen ? [] : [moreHours(day, [])])}
        />
        {isOpen ? (
          <>
            <Action
              label={`Add hours on ${name}`}
              onClick={() => onChange([...hours, moreHours(day, hours)])}
            >
              <IconPlus size={14} />
            </Action>
            <Action label={`Copy ${name} to the other open days`} onClick={onCopy}>
              <IconCopy size={14} />
            </Action>
          </>
        ) : (
          <Text size="sm" c="dimmed">
            Closed
          </Text>
        )}
      </Group>
      <Stack gap={6}>
        {hours.map((opening, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: equal hours may stand twice while they are edited
          <Group key={index} gap={6} wrap="nowrap">
            <TextInput
              aria-label={`${name} from`}
              type="time"
              size="xs"
              value={opening.from}
              onChange={(event) => change(index, { from: event.currentTarget.value })}
            />
            <span aria-hidden>–</span>
            <TextInput
              aria-label={`${name} to`}
              type="time"
              size="xs"
              value={opening.to === '24:00' ? '00:00' : opening.to}
              onChange={({ currentTarget: { value } }) =>
                change(index, { to: value === '00:00' ? '24:00' : value })
              }
            />
            <Action
              label={`Remove these hours of ${name}`}
              onClick={() => onChange(hours.filter((_, at) => at !== index))}
            >
              <IconTrash size={14} />
            </Action>
          </Group>
        ))}
      </Stack>
    </Group>
  );
}

function Action({
  label,
  onClick,
  children,
}: {
  readonly label: string;
  readonly onClick: () => void;
  readonly children: React.ReactNode;
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
