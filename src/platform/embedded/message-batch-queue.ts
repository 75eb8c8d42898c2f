import { ProtocolViolation, type WireMessage } from './wire-messages.ts';

/** Groups a client's messages into batches. A batch ends with a Query, Sync or Flush, and runs without interruption. */
export interface MessageBatchQueue {
  add(message: WireMessage): void;
  /** Removes and returns the first complete batch. */
  next(): WireMessage[] | undefined;
  /** Number of complete batches. */
  length(): number;
  queuedBytes(): number;
  clear(): void;
}

/**
 * Creates an empty queue.
 * @throws ProtocolViolation from `add` when a message type is unknown or a batch exceeds `maxBatchBytes`.
 */
export function createMessageBatchQueue(maxBatchBytes: number): MessageBatchQueue {
  let batches: { messages: WireMessage[]; bytes: number }[] = [];
  let openBatch: WireMessage[] = [];
  let openBatchBytes = 0;
  let queuedBytes = 0;

  return {
    add(message) {
      if (copyDataTypes.has(message.type)) return;
      if (!runnableTypes.has(message.type)) {
        throw new ProtocolViolation('08P01', `invalid frontend message type ${message.type}`);
      }
      openBatch.push(message);
      openBatchBytes += message.bytes.length + frameOverheadBytes;
      if (openBatchBytes > maxBatchBytes) {
        throw new ProtocolViolation('54000', `more than ${maxBatchBytes} bytes without a Sync`);
      }
      if (!batchEndTypes.has(message.type)) return;
      batches.push({ messages: openBatch, bytes: openBatchBytes });
      queuedBytes += openBatchBytes;
      openBatch = [];
      openBatchBytes = 0;
    },
    next() {
      const first = batches.shift();
      queuedBytes -= first?.bytes ?? 0;
      return first?.messages;
    },
    length: () => batches.length,
    queuedBytes: () => queuedBytes,
    clear() {
      batches = [];
      queuedBytes = 0;
    },
  };
}

/**
 * Message types that may run: Query, Parse, Bind, Describe, Execute, Close, Sync, Flush. Other types could make
 * Postgres exit.
 */
const runnableTypes = new Set('QPBDECSH');
const batchEndTypes = new Set('QSH');
/**
 * CopyData, CopyDone and CopyFail. A client sends them after COPY FROM STDIN. COPY FROM STDIN is refused, so these
 * messages are dropped.
 */
const copyDataTypes = new Set('dcf');
/**
 * Estimated extra memory of each message, in bytes. It is counted, so that the limit also holds for a batch of many
 * tiny messages.
 */
const frameOverheadBytes = 100;
