/** When the team answers. From this, the widget computes at any later time whether the team is out of hours. */
export interface TeamHours {
  /** Null: the team always answers. */
  readonly businessHours: BusinessHours | null;
  /** The project's text outside business hours. Null: the text of the widget. */
  readonly outOfHoursText: string | null;
}

/** `from` and `to` are local times such as `09:00`, and `day` is a name such as `MONDAY`. */
interface BusinessHours {
  readonly timeZone: string;
  readonly weekly: readonly { readonly day: string; readonly from: string; readonly to: string }[];
}

/** Returns whether the team is out of hours at `time`. Returns false if the browser does not know the time zone. */
export function isOutOfHours(hours: TeamHours | null, time: Date): boolean {
  if (!hours?.businessHours) return false;
  const { timeZone, weekly } = hours.businessHours;
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
    const today = parts.get('weekday')?.toUpperCase();
    const now = `${parts.get('hour')}:${parts.get('minute')}`;
    return !weekly.some(({ day, from, to }) => day === today && from <= now && now < to);
  } catch {
    return false;
  }
}
