import { once } from 'node:events';
import { connect } from 'node:net';
import { waitUntil } from '../wait-until.ts';

export interface ParsedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** A TCP connection that can send bytes that no HTTP client would send. */
export interface RawConnection {
  send(bytes: string | Uint8Array): void;
  /** Waits until the received data contains `text`. */
  waitFor(text: string): Promise<void>;
  /**
   * Waits until the server has closed the connection and returns all responses. Rejects if the connection was reset.
   */
  responses(): Promise<ParsedResponse[]>;
}

export async function openConnection(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
  });
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  return {
    send: (bytes) => socket.write(bytes),
    async waitFor(awaited) {
      await waitUntil(() => text.includes(awaited));
    },
    async responses() {
      await closed;
      return parseResponses(text);
    },
  };
}

/** Sends all bytes at once. Reads until the server closes the connection. */
export async function exchange(
  port: number,
  bytes: string | Uint8Array,
): Promise<ParsedResponse[]> {
  const connection = await openConnection(port);
  connection.send(bytes);
  return connection.responses();
}

function parseResponses(text: string): ParsedResponse[] {
  const answers: ParsedResponse[] = [];
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n') + 4;
    const [start = '', ...lines] = rest.slice(0, end - 4).split('\r\n');
    const headers = new Headers(lines.map(parseHeader));
    const length = Number(headers.get('Content-Length'));
    const body = Buffer.from(rest.slice(end, end + length), 'latin1').toString();
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1]);
    answers.push({ status, headers, body });
    rest = rest.slice(end + length);
  }
  return answers;
}

function parseHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}
