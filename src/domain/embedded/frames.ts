/** One complete message of the Postgres wire protocol (v3). `type` is '' for a start-up packet. */
export type Frame = { type: string; bytes: Buffer };

/** Cuts a byte stream into messages; holds at most one incomplete message. */
export type FrameReader = {
  push(chunk: Buffer): void;
  /** The next start-up packet (length, then body), or undefined until it is complete. */
  nextStartup(): Frame | undefined;
  /** The next typed message (type, length, body), or undefined until it is complete. */
  next(maxBytes: number): Frame | undefined;
};

/** The client broke the protocol or a limit: the connection cannot go on. */
export class ProtocolViolation extends Error {
  /** SQLSTATE */
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** @throws ProtocolViolation from `next…` for an impossible length or one above the limit. */
export function createFrameReader(): FrameReader {
  let chunks: Buffer[] = [];
  let available = 0;

  const take = (offset: number, type: (bytes: Buffer) => string, limit: number) => {
    if (available < offset + 4) return undefined;
    const length = offset + joined(offset + 4).readInt32BE(offset);
    if (length < offset + 4) throw new ProtocolViolation('08P01', 'invalid message length');
    if (length > limit) {
      throw new ProtocolViolation('54000', `message of ${length} bytes exceeds ${limit} bytes`);
    }
    if (available < length) return undefined;
    const all = joined(length);
    const bytes = all.subarray(0, length);
    chunks = all.length > length ? [all.subarray(length)] : [];
    available -= length;
    return { type: type(bytes), bytes };
  };

  /** The first chunk, grown to at least `length` bytes. A large message is joined twice at most. */
  const joined = (length: number): Buffer => {
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
    nextStartup: () => take(0, () => '', MAX_STARTUP_BYTES),
    next: (maxBytes) => take(1, (bytes) => String.fromCharCode(bytes[0] ?? 0), maxBytes),
  };
}

/** What a client may send before it is authenticated: MAX_STARTUP_PACKET_LENGTH in Postgres. */
export const MAX_STARTUP_BYTES = 10_000;

/** Walks through complete messages lying one after the other. */
export function* splitFrames(bytes: Buffer): Generator<Frame> {
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    yield { type: String.fromCharCode(bytes[at] ?? 0), bytes: bytes.subarray(at, end) };
    at = end;
  }
}

/** A typed message with the given body. */
export function frame(type: string, ...body: Buffer[]): Buffer {
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

/** The zero-terminated string at `start`, and the offset behind it. */
export function readCString(bytes: Buffer, start: number): { text: string; end: number } {
  const zero = bytes.indexOf(0, start);
  if (zero < 0) throw new ProtocolViolation('08P01', 'invalid string in message');
  return { text: bytes.toString('utf8', start, zero), end: zero + 1 };
}

export function simpleQuery(sql: string): Buffer {
  return frame('Q', cString(sql));
}

/** ErrorResponse. Severity FATAL tells the client that the connection ends. */
export function errorFrame(severity: 'ERROR' | 'FATAL', code: string, message: string): Buffer {
  const fields = [`S${severity}`, `V${severity}`, `C${code}`, `M${message}`].map(cString);
  return frame('E', ...fields, Buffer.from([0]));
}
