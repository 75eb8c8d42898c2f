import { once } from 'node:events';
import { connect } from 'node:net';
import { vi } from 'vitest';

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** A connection over which a test sends what no HTTP client would. */
export interface RawConnection {
  send(bytes: string | Uint8Array): void;
  /** Waits until so much of an answer has come. */
  received(text: string): Promise<void>;
  /** All answers, once the server has closed the connection. Rejects where it was reset. */
  answers(): Promise<RawAnswer[]>;
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
    async received(awaited) {
      await vi.waitUntil(() => text.includes(awaited), { timeout: 5_000 });
    },
    async answers() {
      await closed;
      return answersIn(text);
    },
  };
}

/** Sends everything at once and reads until the server closes the connection. */
export async function exchange(port: number, bytes: string | Uint8Array): Promise<RawAnswer[]> {
  const connection = await openConnection(port);
  connection.send(bytes);
  return connection.answers();
}

function answersIn(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n') + 4;
    const [start = '', ...lines] = rest.slice(0, end - 4).split('\r\n');
    const headers = new Headers(lines.map(fieldIn));
    const length = Number(headers.get('Content-Length'));
    const body = Buffer.from(rest.slice(end, end + length), 'latin1').toString();
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1]);
    answers.push({ status, headers, body });
    rest = rest.slice(end + length);
  }
  return answers;
}

function fieldIn(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}
