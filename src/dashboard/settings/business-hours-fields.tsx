import { Fieldset, Input, Select, Stack, Switch, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { DayHours } from './day-hours.tsx';
import { type BusinessHours, type Day, days, type Opening, workingWeek } from './opening-hours.ts';

const timeZones = Intl.supportedValuesOf('timeZone');

/** When the team is there; null means always. */
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
  const of = (day: Day) => value?.weekly.filter((opening) => opening.day === day) ?? [];
  const set = (changed: Partial<Record<Day, readonly Opening[]>>) => {
    if (value === null) return;
    onChange({ ...value, weekly: days.flatMap((day) => changed[day] ?? of(day)) });
  };
  return (
    <Fieldset legend="Business hours" disabled={isReadOnly}>
      <Stack gap="md">
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
              maw={320}
              data={timeZones.includes(value.timeZone) ? timeZones : [value.timeZone, ...timeZones]}
              value={value.timeZone}
              onChange={(timeZone) => timeZone !== null && onChange({ ...value, timeZone })}
            />
            <Stack gap="sm">
              {days.map((day) => (
                <DayHours
                  key={day}
                  day={day}
                  hours={of(day)}
                  onChange={(hours) => set({ [day]: hours })}
                  onCopy={() =>
                    set(
                      Object.fromEntries(
                        days
                          .filter((other) => of(other).length > 0)
                          .map((other) => [
                            other,
                            of(day).map((opening) => ({ ...opening, day: other })),
                          ]),
                      ),
                    )
                  }
                />
              ))}
            </Stack>
            {value.weekly.length === 0 && (
              <Text size="sm" c="dimmed">
                All days are closed: nobody is ever there.
              </Text>
            )}
            {error && <Input.Error role="alert">{error}</Input.Error>}
          </>
        )}
      </Stack>
    </Fieldset>
  );
}
