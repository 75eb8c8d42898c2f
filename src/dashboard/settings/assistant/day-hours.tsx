import { ActionIcon, Checkbox, Group, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { IconCopy, IconPlus, IconTrash } from '@tabler/icons-react';
import { dayName, nextOpeningHours, type OpeningHours, type Weekday } from './business-hours.ts';

/** The opening hours of a weekday. Without hours, the team is not available on that day. */
export function DayHoursFields({
  day,
  hours,
  onChange,
  onCopy,
}: {
  readonly day: Weekday;
  readonly hours: readonly OpeningHours[];
  readonly onChange: (hours: readonly OpeningHours[]) => void;
  /** Copies these hours to all other days that have hours. */
  readonly onCopy: () => void;
}) {
  const name = dayName(day);
  const isOpen = hours.length > 0;
  const change = (index: number, part: Partial<OpeningHours>) =>
    onChange(hours.map((opening, i) => (i === index ? { ...opening, ...part } : opening)));
  return (
    <Group role="group" aria-label={name} align="flex-start" gap="sm">
      <Group w={190} mih={30} gap={2} wrap="nowrap">
        <Checkbox
          label={name}
          flex={1}
          checked={isOpen}
          onChange={() => onChange(isOpen ? [] : [nextOpeningHours(day, [])])}
        />
        {isOpen ? (
          <>
            <IconAction
              label={`Add hours on ${name}`}
              onClick={() => onChange([...hours, nextOpeningHours(day, hours)])}
            >
              <IconPlus size={14} />
            </IconAction>
            <IconAction label={`Copy ${name} to the other open days`} onClick={onCopy}>
              <IconCopy size={14} />
            </IconAction>
          </>
        ) : (
          <Text size="sm" c="dimmed">
            Closed
          </Text>
        )}
      </Group>
      <Stack gap={6}>
        {hours.map((opening, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: during editing two entries may be equal
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
            <IconAction
              label={`Remove these hours of ${name}`}
              onClick={() => onChange(hours.filter((_, i) => i !== index))}
            >
              <IconTrash size={14} />
            </IconAction>
          </Group>
        ))}
      </Stack>
    </Group>
  );
}

function IconAction({
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
