import { Fieldset, Input, Select, Stack, Switch, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import {
  type BusinessHours,
  defaultBusinessHours,
  type OpeningHours,
  type Weekday,
  weekdays,
} from './business-hours.ts';
import { DayHoursFields } from './day-hours.tsx';

const timeZones = Intl.supportedValuesOf('timeZone');

/** The hours in which the team is available. Null means that the team is always available. */
export function BusinessHoursFields({
  value,
  error,
  isReadOnly,
  onChange,
}: {
  readonly value: BusinessHours | null;
  readonly error: ReactNode;
  readonly isReadOnly: boolean;
  readonly onChange: (value: BusinessHours | null) => void;
}) {
  const hoursOn = (day: Weekday) => value?.weekly.filter((opening) => opening.day === day) ?? [];
  const setHours = (changed: Partial<Record<Weekday, readonly OpeningHours[]>>) => {
    if (value === null) return;
    onChange({ ...value, weekly: weekdays.flatMap((day) => changed[day] ?? hoursOn(day)) });
  };
  return (
    <Fieldset legend="Business hours" disabled={isReadOnly}>
      <Stack gap="md">
        <Switch
          label="The team is available only during business hours"
          checked={value !== null}
          onChange={(event) =>
            onChange(event.currentTarget.checked ? defaultBusinessHours() : null)
          }
        />
        {value !== null && (
          <>
            <Select
              label="Time zone"
              searchable
              allowDeselect={false}
              maw={320}
              data={timeZones.includes(value.timeZone) ? timeZones : [value.timeZone, ...timeZones]}
              value={value.timeZone}
              onChange={(timeZone) => timeZone !== null && onChange({ ...value, timeZone })}
            />
            <Stack gap="sm">
              {weekdays.map((day) => (
                <DayHoursFields
                  key={day}
                  day={day}
                  hours={hoursOn(day)}
                  onChange={(hours) => setHours({ [day]: hours })}
                  onCopy={() =>
                    setHours(
                      Object.fromEntries(
                        weekdays
                          .filter((other) => hoursOn(other).length > 0)
                          .map((other) => [
                            other,
                            hoursOn(day).map((opening) => ({ ...opening, day: other })),
                          ]),
                      ),
                    )
                  }
                />
              ))}
            </Stack>
            {value.weekly.length === 0 && (
              <Text size="sm" c="dimmed">
                All days are closed. The team is never available.
              </Text>
            )}
            {error && <Input.Error role="alert">{error}</Input.Error>}
          </>
        )}
      </Stack>
    </Fieldset>
  );
}
