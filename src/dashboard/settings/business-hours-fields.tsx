import {
  ActionIcon,
  Button,
  Fieldset,
  Group,
  Select,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';

const days = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
] as const;
const dayNames = days.map((value) => ({
  value,
  label: value.charAt(0) + value.slice(1).toLowerCase(),
}));
const timeZones = Intl.supportedValuesOf('timeZone');

interface Opening {
  readonly day: (typeof days)[number];
  readonly from: string;
  readonly to: string;
}

export interface BusinessHours {
  readonly timeZone: string;
  readonly weekly: Opening[];
}

/** When the team is there; null means always. */
export function BusinessHoursFields({
  value,
  isReadOnly,
  onChange,
}: {
  readonly value: BusinessHours | null;
  readonly isReadOnly: boolean;
  readonly onChange: (value: BusinessHours | null) => void;
}) {
  const change = (index: number, part: Partial<Opening>) => {
    if (value === null) return;
    const weekly = value.weekly.map((opening, at) =>
      at === index ? { ...opening, ...part } : opening,
    );
    onChange({ ...value, weekly });
  };
  return (
    <Fieldset legend="Business hours" disabled={isReadOnly}>
      <Stack gap="sm">
        <Switch
          label="The team is there at certain hours only"
          checked={value !== null}
          onChange={(event) => onChange(event.currentTarget.checked ? workingWeek() : null)}
        />
        {value !== null && (
          <>
            <Select
              label="Time zone"
              searchable
              allowDeselect={false}
              data={timeZones.includes(value.timeZone) ? timeZones : [value.timeZone, ...timeZones]}
              value={value.timeZone}
              onChange={(timeZone) => timeZone !== null && onChange({ ...value, timeZone })}
            />
            {value.weekly.map((opening, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: equal hours may stand twice while they are edited
              <Group key={index} gap="xs" align="flex-end" wrap="nowrap">
                <Select
                  aria-label="Day"
                  allowDeselect={false}
                  data={dayNames}
                  value={opening.day}
                  onChange={(day) => day !== null && change(index, { day: day as Opening['day'] })}
                />
                <TextInput
                  aria-label="From"
                  type="time"
                  value={opening.from}
                  onChange={(event) => change(index, { from: event.currentTarget.value })}
                />
                <TextInput
                  aria-label="To"
                  type="time"
                  value={opening.to}
                  onChange={(event) => change(index, { to: event.currentTarget.value })}
                />
                <ActionIcon
                  variant="subtle"
                  color="red"
                  size="lg"
                  aria-label="Remove these hours"
                  onClick={() =>
                    onChange({ ...value, weekly: value.weekly.filter((_, at) => at !== index) })
                  }
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </Group>
            ))}
            <Button
              variant="default"
              size="xs"
              w="fit-content"
              onClick={() =>
                onChange({
                  ...value,
                  weekly: [...value.weekly, { day: 'MONDAY', from: '09:00', to: '17:00' }],
                })
              }
            >
              Add hours
            </Button>
          </>
        )}
      </Stack>
    </Fieldset>
  );
}

function workingWeek(): BusinessHours {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const weekly = days.slice(0, 5).map((day) => ({ day, from: '09:00', to: '17:00' }));
  return { timeZone, weekly };
}
