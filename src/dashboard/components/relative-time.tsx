import { Text, type TextProps } from '@mantine/core';
import { useNow } from './use-now.ts';

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** A relative time such as "2 hours ago". The tooltip shows the exact time. */
export function RelativeTime({ at, ...props }: { readonly at: string } & TextProps) {
  const now = useNow();
  return (
    <Text component="time" dateTime={at} title={exact.format(new Date(at))} {...props}>
      {formatRelativeTime(new Date(at), now)}
    </Text>
  );
}

function formatRelativeTime(at: Date, now: number): string {
  const seconds = (at.getTime() - now) / 1_000;
  if (Math.abs(seconds) < 45) return seconds > 2 ? 'in a moment' : 'just now';
  if (Math.abs(seconds) > 7 * 86_400) return absolute.format(at);
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length * 0.75) ?? units[2];
  return relative.format(Math.round(seconds / length), unit);
}
