import { csvRow } from '../../text/csv-row.ts';
import type { ExportedMessage } from './export-conversations.ts';

/** File formats of exported conversations. Each message is one line or row. */
export const exportFormats = {
  csv: {
    mimeType: 'text/csv; charset=utf-8',
    // If a file has no byte order mark, Excel reads it in the default encoding of the computer instead of UTF-8.
    start: () => `\uFEFF${csvRow(columns)}`,
    write: (message: ExportedMessage) => csvRow(columns.map((column) => cellOf(message, column))),
  },
  ndjson: {
    mimeType: 'application/x-ndjson; charset=utf-8',
    start: () => '',
    write: (message: ExportedMessage) => `${JSON.stringify(message)}\n`,
  },
} as const;

export type ExportFormat = keyof typeof exportFormats;

const columns = [
  'conversationId',
  'title',
  'conversationStatus',
  'channel',
  'endUserId',
  'labels',
  'handoffStatus',
  'messageId',
  'position',
  'createdAt',
  'role',
  'author',
  'messageStatus',
  'content',
  'confidence',
  'latencyMs',
  'rating',
  'ratingComment',
  'citations',
  'endUserName',
  'endUserEmail',
  'visitorAttributes',
] as const satisfies (keyof ExportedMessage)[];

function cellOf(message: ExportedMessage, column: (typeof columns)[number]): string {
  if (column === 'labels') return message.labels.join('\n');
  if (column === 'citations') return message.citations.map(describeCitation).join('\n');
  if (column === 'visitorAttributes') {
    return message.visitorAttributes === null ? '' : JSON.stringify(message.visitorAttributes);
  }
  return String(message[column] ?? '');
}

function describeCitation(
  { documentName, page, quote, sourceUrl }: ExportedMessage['citations'][number],
  index: number,
): string {
  const place = page === null ? '' : `, page ${page}`;
  const text = quote === null ? '' : `: “${quote}”`;
  return `[${index + 1}] ${documentName}${place}${text}${sourceUrl === null ? '' : ` ${sourceUrl}`}`;
}
