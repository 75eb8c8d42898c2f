import { cleanLine } from '../clean-text.ts';
import type { BlockSink } from '../text-builder.ts';

interface CalendarLine {
  readonly name: string;
  readonly parameters: string;
  readonly value: string;
}

const maxEvents = 1_000;
const maxLineLength = 20_000;

/** Whether the text contains events in iCalendar's form (RFC 5545). */
export function isCalendar(text: string): boolean {
  return /^BEGIN:V(?:EVENT|TODO)/im.test(text);
}

/** Adds the events of an iCalendar text, such as an invitation. */
export function addCalendar(sink: BlockSink, text: string, level: number): void {
  const lines = text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/);
  let event: CalendarLine[] | null = null;
  let count = 0;
  let isCancelled = false;
  /** Number of open components inside the event, such as alarms. */
  let inner = 0;
  for (const line of lines) {
    const part = readLine(line);
    if (part === null) continue;
    const { name, value } = part;
    if (name === 'METHOD') isCancelled = value.toUpperCase() === 'CANCEL';
    else if (name === 'BEGIN') {
      if (event !== null) inner += 1;
      else if (/^V(?:EVENT|TODO)$/i.test(value)) event = [];
    } else if (name === 'END' && inner > 0) inner -= 1;
    else if (name === 'END' && event !== null) {
      if (count < maxEvents) addEvent(sink, event, level, isCancelled);
      count += 1;
      event = null;
    } else if (inner === 0) event?.push(part);
  }
}

function readLine(line: string): CalendarLine | null {
  const [, name, parameters = '', value = ''] =
    /^([A-Za-z-]{1,40})((?:[^":]|"[^"]*")*):(.*)$/.exec(line.slice(0, maxLineLength)) ?? [];
  return name === undefined ? null : { name: name.toUpperCase(), parameters, value };
}

function addEvent(
  sink: BlockSink,
  lines: readonly CalendarLine[],
  level: number,
  isCancelled: boolean,
): void {
  const all = (name: string) => lines.filter((line) => line.name === name);
  const text = (name: string) => unescapeText(all(name)[0]?.value ?? '');
  const people = (name: string) => all(name).map(personOf).join(', ');
  const status = isCancelled || text('STATUS').toUpperCase() === 'CANCELLED';
  const title = cleanLine(text('SUMMARY'));
  sink.add('heading', `${status ? 'Cancelled event' : 'Event'}${title && ` – ${title}`}`, {
    level,
  });
  const fields = [
    ['Start', timeOf(all('DTSTART')[0])],
    ['End', timeOf(all('DTEND')[0] ?? all('DUE')[0])],
    ['Repeats', text('RRULE')],
    ['Location', cleanLine(text('LOCATION'))],
    ['Organizer', people('ORGANIZER')],
    ['Attendees', people('ATTENDEE')],
  ];
  sink.add(
    'paragraph',
    fields.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : [])).join('\n'),
  );
  sink.add('paragraph', text('DESCRIPTION'));
}

/** Returns a date or time such as `2026-05-09 14:00 (Europe/Berlin)`. Returns any other text unchanged. */
function timeOf(line: CalendarLine | undefined): string {
  if (line === undefined) return '';
  const { value, parameters } = line;
  const [, year, month, day, hour, minute, zone] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(?:\d\d)?(Z)?)?$/.exec(value) ?? [];
  if (year === undefined) return cleanLine(value);
  const date = `${year}-${month}-${day}`;
  if (hour === undefined) return date;
  const place = /;TZID="?([^";:]{1,60})/i.exec(parameters)?.[1];
  return `${date} ${hour}:${minute}${zone ? ' UTC' : place ? ` (${place})` : ''}`;
}

function personOf({ parameters, value }: CalendarLine): string {
  const name = /;CN=(?:"([^"]{1,100})|([^";:,]{1,100}))/i.exec(parameters);
  const address = value.replace(/^mailto:/i, '');
  return cleanLine(
    [name?.[1] ?? name?.[2] ?? '', address && `<${address}>`].filter(Boolean).join(' '),
  );
}

function unescapeText(value: string): string {
  return value.replace(/\\([\\;,nN])/g, (_, letter: string) => (/n/i.test(letter) ? '\n' : letter));
}
