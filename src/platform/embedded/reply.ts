import { readCString, splitWireMessages, type WireMessage } from './wire-messages.ts';

/** Status byte of ReadyForQuery: I idle, T in a transaction, E in a failed transaction. */
export type TransactionStatus = 'I' | 'T' | 'E';

/** Parsed response of the session to one batch. */
export interface ServerReply {
  /** Response messages to forward to the client that sent the batch, in order. */
  clientMessages: Buffer[];
  /** NotificationResponse messages to deliver to all listening clients. */
  notifications: WireMessage[];
  /** Command tags, such as `INSERT 0 1`, in order, with 'ERROR' for each failed command. */
  commandTags: string[];
  /** Status of the last ReadyForQuery, or undefined if the response has none. */
  transactionStatus: TransactionStatus | undefined;
}

/**
 * Parses the session's response to one batch.
 * @param suppressedType type of one message to drop. It responds to a message that the server, not the client, has
 * sent.
 */
export function readReply(bytes: Buffer, suppressedType?: string): ServerReply {
  const reply: ServerReply = {
    clientMessages: [],
    notifications: [],
    commandTags: [],
    transactionStatus: undefined,
  };
  let pendingSuppressedType = suppressedType;
  let keepFrom = 0;
  let at = 0;
  const skip = (length: number) => {
    if (at > keepFrom) reply.clientMessages.push(bytes.subarray(keepFrom, at));
    keepFrom = at + length;
  };
  for (const message of splitWireMessages(bytes)) {
    const { type } = message;
    if (type === 'A') {
      reply.notifications.push(message);
      skip(message.bytes.length);
    } else if (type === pendingSuppressedType) {
      pendingSuppressedType = undefined;
      skip(message.bytes.length);
    } else if (type === 'C') {
      reply.commandTags.push(readCString(message.bytes, 5).text);
    } else if (type === 'E') {
      reply.commandTags.push('ERROR');
    } else if (type === 'Z') {
      reply.transactionStatus = readStatus(message);
    }
    at += message.bytes.length;
  }
  skip(0);
  return reply;
}

/** Whether any command of the batch failed. */
export function hasFailed(reply: ServerReply): boolean {
  return reply.commandTags.includes('ERROR');
}

/** Returns the column values of a DataRow message in text format, with null for SQL NULL. */
export function readDataRow({ bytes }: WireMessage): (string | null)[] {
  const values: (string | null)[] = [];
  let at = 7;
  for (let column = bytes.readInt16BE(5); column > 0; column -= 1) {
    const length = bytes.readInt32BE(at);
    at += 4;
    values.push(length < 0 ? null : bytes.toString('utf8', at, at + length));
    at += Math.max(length, 0);
  }
  return values;
}

/** Returns the SQLSTATE and message of an ErrorResponse. */
export function parseErrorResponse({ bytes }: WireMessage): { code: string; message: string } {
  const fields = new Map<string, string>();
  for (let at = 5; bytes[at] !== 0 && at < bytes.length; ) {
    const field = readCString(bytes, at + 1);
    fields.set(String.fromCharCode(bytes[at] ?? 0), field.text);
    at = field.end;
  }
  return { code: fields.get('C') ?? 'XX000', message: fields.get('M') ?? 'unknown error' };
}

function readStatus({ bytes }: WireMessage): TransactionStatus {
  const status = String.fromCharCode(bytes[5] ?? 0);
  if (status === 'I' || status === 'T' || status === 'E') return status;
  throw new Error(`unknown transaction status ${status}`);
}
