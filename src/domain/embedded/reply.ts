import { type Frame, readCString, splitFrames } from './frames.ts';

/** ReadyForQuery's byte: idle, in a transaction, in a failed transaction. */
export type TransactionStatus = 'I' | 'T' | 'E';

/** What the session answered to some messages, taken apart. */
export type Reply = {
  /** All messages for the client that asked, in order. */
  forClient: Buffer[];
  /** NotificationResponse messages: for whoever listens. */
  notifications: Frame[];
  /** Command tags in order; 'ERROR' where one failed. */
  outcomes: string[];
  /** Of the ReadyForQuery, if there was one. */
  status: TransactionStatus | undefined;
};

/** `swallow`: the type of one message to leave out, the answer to something the client did not send. */
export function readReply(bytes: Buffer, swallow?: string): Reply {
  const reply: Reply = { forClient: [], notifications: [], outcomes: [], status: undefined };
  let unwanted = swallow;
  let keepFrom = 0;
  let at = 0;
  const leaveOut = (length: number) => {
    if (at > keepFrom) reply.forClient.push(bytes.subarray(keepFrom, at));
    keepFrom = at + length;
  };
  for (const message of splitFrames(bytes)) {
    const { type } = message;
    if (type === 'A') {
      reply.notifications.push(message);
      leaveOut(message.bytes.length);
    } else if (type === unwanted) {
      unwanted = undefined;
      leaveOut(message.bytes.length);
    } else if (type === 'C') {
      reply.outcomes.push(readCString(message.bytes, 5).text);
    } else if (type === 'E') {
      reply.outcomes.push('ERROR');
    } else if (type === 'Z') {
      reply.status = readStatus(message);
    }
    at += message.bytes.length;
  }
  leaveOut(0);
  return reply;
}

/** Whether any of the messages failed. */
export function hasFailed(reply: Reply): boolean {
  return reply.outcomes.includes('ERROR');
}

/** The text of each column of a DataRow in text format. */
export function readDataRow({ bytes }: Frame): (string | null)[] {
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

/** The message of an ErrorResponse, with its SQLSTATE. */
export function readError({ bytes }: Frame): { code: string; message: string } {
  const fields = new Map<string, string>();
  for (let at = 5; bytes[at] !== 0 && at < bytes.length; ) {
    const field = readCString(bytes, at + 1);
    fields.set(String.fromCharCode(bytes[at] ?? 0), field.text);
    at = field.end;
  }
  return { code: fields.get('C') ?? 'XX000', message: fields.get('M') ?? 'unknown error' };
}

function readStatus({ bytes }: Frame): TransactionStatus {
  const status = String.fromCharCode(bytes[5] ?? 0);
  if (status === 'I' || status === 'T' || status === 'E') return status;
  throw new Error(`unknown transaction status ${status}`);
}
