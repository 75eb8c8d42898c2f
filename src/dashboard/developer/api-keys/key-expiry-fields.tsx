import { Group, Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

interface Expiry {
  readonly lifetime: string;
  /** The last day, as `YYYY-MM-DD`. Used only with the lifetime `day`. */
  readonly day: string;
}

const lifetimes = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
  { value: 'day', label: 'On a date…' },
];
const dayMs = 86_400_000;
const daysFromNow = (days: number) => new Date(Date.now() + days * dayMs);

export function KeyExpiryFields<Values extends Expiry>({
  form,
}: {
  readonly form: Pick<UseFormReturnType<Values>, 'values' | 'getInputProps'>;
}) {
  return (
    <Group align="flex-start" grow>
      <Select
        label="Expires"
        data={lifetimes}
        allowDeselect={false}
        {...form.getInputProps('lifetime')}
      />
      {form.values.lifetime === 'day' && (
        <TextInput type="date" label="Last day" min={today()} {...form.getInputProps('day')} />
      )}
    </Group>
  );
}

export function expiryProblem({ lifetime, day }: Expiry): string | null {
  return lifetime === 'day' && Number.isNaN(endOfDay(day).getTime()) ? 'Choose a date' : null;
}

/**
 * Returns when a key expires, or null if it never expires. With the lifetime `day`, the key expires at the end of `day`
 * in the operator's time zone.
 */
export function expiryOf({ lifetime, day }: Expiry): Date | null {
  if (lifetime === 'never') return null;
  if (lifetime !== 'day') return daysFromNow(Number(lifetime));
  return endOfDay(day);
}

/**
 * Returns the start of the next day. Adds a calendar day instead of 24 hours, because a day on which daylight saving
 * time changes has 23 or 25 hours.
 */
function endOfDay(day: string): Date {
  const end = new Date(`${day}T00:00`);
  end.setDate(end.getDate() + 1);
  return end;
}

/** Returns the operator's local date as `YYYY-MM-DD`. The Swedish locale `sv` uses this date format. */
function today(): string {
  return new Date().toLocaleDateString('sv');
}
