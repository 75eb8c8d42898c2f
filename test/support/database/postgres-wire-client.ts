import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { parseErrorResponse, readDataRow } from '../../../src/platform/embedded/reply.ts';
import {
  createWireMessageReader,
  cString,
  encodeMessage,
  int32,
  readCString,
  type WireMessage,
} from '../../../src/platform/embedded/wire-messages.ts';

/** A Postgres client that sends raw protocol messages. */
export interface PostgresWireClient {
  readonly socket: Socket;
  send(...messages: Buffer[]): void;
  /** Returns all messages up to the next message of this type. `formatMessage` formats them. */
  readUntil(type: string): Promise<string[]>;
  /** Sends messages. Returns the responses up to ReadyForQuery. */
  sendAndRead(...messages: Buffer[]): Promise<string[]>;
  /** Resolves when the server has closed the connection. Returns the last messages. */
  waitForClose(): Promise<string[]>;
}

/** Connects, and sends the password if the server requests it. The start-up packet contains `parameters`. */
export async function openPostgresWireClient(
  url: string,
  parameters: Record<string, string> = {},
): Promise<PostgresWireClient> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const incoming: WireMessage[] = [];
  const reader = createWireMessageReader();
  let wake = () => {};
  socket.on('data', (chunk) => {
    reader.push(chunk);
    for (let next = reader.next(maxMessageBytes); next; next = reader.next(maxMessageBytes))
      incoming.push(next);
    wake();
  });
  socket.on('close', () => wake());
  socket.on('error', () => wake());
  await once(socket, 'connect');

  const client: PostgresWireClient = {
    socket,
    send: (...messages) => void socket.write(Buffer.concat(messages)),
    async readUntil(type) {
      for (;;) {
        const end = incoming.findIndex((message) => message.type === type);
        if (end >= 0) return incoming.splice(0, end + 1).map(formatMessage);
        if (socket.closed) throw new Error(`closed after ${incoming.map(formatMessage).join(' ')}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    sendAndRead(...messages) {
      client.send(...messages);
      return client.readUntil('Z');
    },
    async waitForClose() {
      while (!socket.closed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return incoming.map(formatMessage);
    },
  };

  const pairs = Object.entries({ user: username, database: pathname.slice(1), ...parameters });
  const body = pairs.flatMap(([name, value]) => [cString(name), cString(value)]);
  const packet = Buffer.concat([int32(196_608), ...body, Buffer.from([0])]);
  client.send(int32(packet.length + 4), packet);
  const [greeting] = await client.readUntil('R');
  if (greeting === 'R 3') client.send(encodeMessage('p', cString(decodeURIComponent(password))));
  await client.readUntil('Z');
  return client;
}

export const sync = encodeMessage('S');
export const flush = encodeMessage('H');

export function query(sql: string): Buffer {
  return encodeMessage('Q', cString(sql));
}

export function parse(name: string, sql: string): Buffer {
  return encodeMessage('P', cString(name), cString(sql), zeroInt16);
}

/** Encodes a Bind message with text values. */
export function bindMessage(portal: string, statement: string, values: string[] = []): Buffer {
  const parts = values.map((value) => [int32(Buffer.byteLength(value)), Buffer.from(value)]);
  const count = Buffer.from([values.length >> 8, values.length & 255]);
  const name = [cString(portal), cString(statement), zeroInt16];
  return encodeMessage('B', ...name, count, ...parts.flat(), zeroInt16);
}

/** Encodes an Execute message. `rows` is the maximum number of rows. 0 means all rows. */
export function executeMessage(portal: string, rows = 0): Buffer {
  return encodeMessage('E', cString(portal), int32(rows));
}

export function close(kind: 'S' | 'P', name: string): Buffer {
  return encodeMessage('C', Buffer.from(kind), cString(name));
}

const maxMessageBytes = 2 ** 28;
const zeroInt16 = Buffer.from([0, 0]);

/**
 * Formats a message: 'D a,b' for a row, 'C tag', 'Z status', 'E code', 'A channel payload' and 'R method'. For all
 * other messages, returns only the type.
 */
function formatMessage(message: WireMessage): string {
  const { type, bytes } = message;
  if (type === 'D') return `D ${readDataRow(message).join(',')}`;
  if (type === 'C') return `C ${readCString(bytes, 5).text}`;
  if (type === 'Z') return `Z ${String.fromCharCode(bytes[5] ?? 0)}`;
  if (type === 'E') return `E ${parseErrorResponse(message).code}`;
  if (type === 'R') return `R ${bytes.readInt32BE(5)}`;
  if (type !== 'A') return type;
  const channel = readCString(bytes, 9);
  return `A ${channel.text} ${readCString(bytes, channel.end).text}`;
}
