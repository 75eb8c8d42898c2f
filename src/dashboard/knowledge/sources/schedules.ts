/** Schedules to choose from: cron expressions in UTC. */
export const schedules = [
  { value: '', label: 'Only on request' },
  { value: '0 * * * *', label: 'Every hour' },
  { value: '0 3 * * *', label: 'Every day at 03:00 UTC' },
  { value: '0 3 * * 1', label: 'Every Monday at 03:00 UTC' },
] as const;

export function describeSchedule(schedule: string | null): string {
  const known = schedules.find(({ value }) => value === (schedule ?? ''));
  return known?.label ?? `Schedule ${schedule} (UTC)`;
}
