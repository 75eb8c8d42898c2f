import { Text, type TextProps } from '@mantine/core';
import { useEffect, useState } from 'react';

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** A moment as people say it, and exactly when the pointer rests on it. */
export function Time({ at, ...props }: { readonly at: string } & TextProps) {
  const now = useNow();
  return (
    <Text component="time" dateTime={at} title={absolute.format(new Date(at))} {...props}>
      {sayTime(new Date(at), now)}
    </Text>
  );
}

function sayTime(at: Date, now: number): string {
  const seconds = (at.getTime() - now) / 1_000;
  if (Math.abs(seconds) < 45) return seconds > 2 ? 'in a moment' : 'just now';
  if (Math.abs(seconds) > 7 * 86_400) return absolute.format(at);
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length * 0.75) ?? units[2];
  return relative.format(Math.round(seconds / length), unit);
}

/** Milliseconds since 1970, renewed every half minute. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
