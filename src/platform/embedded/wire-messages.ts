/**
 * One complete message of the Postgres wire protocol (version 3), header included. `type` is '' for a start-up packet.
 */
export interface WireMessage {
  type: string;
  bytes: Buffer;
}

/** Splits a stream of bytes into messages. Buffers the received bytes until a message is complete. */
export interface WireMessageReader {
  push(chunk: Buffer): void;
  /** Returns the next start-up packet (length, body), or undefined if it is incomplete. */
  nextStartup(): WireMessage | undefined;
  /** Returns the next typed message (type, length, body), or undefined if it is incomplete. */
  next(maxBytes: number): WireMessage | undefined;
}

/** Thrown when the client violates the protocol or a limit. Its connection must be closed. */
export class ProtocolViolation extends Error {
  /** SQLSTATE */
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Creates a reader for one connection.
 * @throws ProtocolViolation from `next` and `nextStartup` when the length of a message is invalid or above the limit.
 */
export function createWireMessageReader(): WireMessageReader {
  let chunks: Buffer[] = [];
  let available = 0;

  const takeFrame = (offset: number, type: (bytes: Buffer) => string, limit: number) => {
    if (available < offset + 4) return undefined;
    const length = offset + joinChunks(offset + 4).readInt32BE(offset);
    if (length < offset + 4) throw new ProtocolViolation('08P01', 'invalid message length');
    if (length > limit) {
      throw new ProtocolViolation('54000', `message of ${length} bytes exceeds ${limit} bytes`);
    }
    if (available < length) return undefined;
    const all = joinChunks(length);
    const bytes = all.subarray(0, length);
    chunks = all.length > length ? [all.subarray(length)] : [];
    available -= length;
    return { type: type(bytes), bytes };
  };

  /**
   * Joins buffered chunks until the first chunk has at least `length` bytes. A large message is copied at most twice.
   */
  const joinChunks = (length: number): Buffer => {
    const first = chunks[0];
    if (first && first.length >= length) return first;
    const all = Buffer.concat(chunks);
    chunks = [all];
    return all;
  };

  return {
    push(chunk) {
      chunks.push(chunk);
      available += chunk.length;
    },
    nextStartup: () => takeFrame(0, () => '', maxStartupBytes),
    next: (maxBytes) => takeFrame(1, (bytes) => String.fromCharCode(bytes[0] ?? 0), maxBytes),
  };
}

/** Maximum size in bytes of a message before authentication. The same as MAX_STARTUP_PACKET_LENGTH in Postgres. */
export const maxStartupBytes = 10_000;

/** Splits concatenated complete messages into single messages. */
export function* splitWireMessages(bytes: Buffer): Generator<WireMessage> {
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    yield { type: String.fromCharCode(bytes[at] ?? 0), bytes: bytes.subarray(at, end) };
    at = end;
  }
}

/** Encodes a typed message with the given body. */
export function encodeMessage(type: string, ...body: Buffer[]): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(5), ...body]);
  bytes.write(type, 0, 'latin1');
  bytes.writeInt32BE(bytes.length - 1, 1);
  return bytes;
}

export function cString(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'utf8');
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** Returns the zero-terminated string at `start` and the offset after its zero byte. */
export function readCString(bytes: Buffer, start: number): { text: string; end: number } {
  const zero = bytes.indexOf(0, start);
  if (zero < 0) throw new ProtocolViolation('08P01', 'invalid string in message');
  return { text: bytes.toString('utf8', start, zero), end: zero + 1 };
}

export function simpleQuery(sql: string): Buffer {
  return encodeMessage('Q', cString(sql));
}

/** Encodes an ErrorResponse. Severity FATAL means that the server closes the connection. */
export function errorResponse(severity: 'ERROR' | 'FATAL', code: string, message: string): Buffer {
  const fields = [`S${severity}`, `V${severity}`, `C${code}`, `M${message}`].map(cString);
  return encodeMessage('E', ...fields, Buffer.from([0]));
}
