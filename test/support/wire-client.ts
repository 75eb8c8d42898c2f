import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import {
  createFrameReader,
  cString,
  type Frame,
  frame,
  int32,
  readCString,
} from '../../src/domain/embedded/frames.ts';
import { readDataRow, readError } from '../../src/domain/embedded/reply.ts';

/** A Postgres client that sends exactly the messages it is told to. */
export interface WireClient {
  readonly socket: Socket;
  send(...messages: Buffer[]): void;
  /** All messages up to the next one of that type, as short text: see `describe`. */
  until(type: string): Promise<string[]>;
  /** Sends, then waits for ReadyForQuery. */
  ask(...messages: Buffer[]): Promise<string[]>;
  /** Resolves when the server has closed the connection, to what it said last. */
  closed(): Promise<string[]>;
}

/** Connects and gives the password, if the server asks for it. `parameters` go into the start-up packet. */
export async function openWireClient(
  url: string,
  parameters: Record<string, string> = {},
): Promise<WireClient> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const incoming: Frame[] = [];
  const reader = createFrameReader();
  let wake = () => {};
  socket.on('data', (chunk) => {
    reader.push(chunk);
    for (let next = reader.next(MAX_BYTES); next; next = reader.next(MAX_BYTES))
      incoming.push(next);
    wake();
  });
  socket.on('close', () => wake());
  socket.on('error', () => wake());
  await once(socket, 'connect');

  const client: WireClient = {
    socket,
    send: (...messages) => void socket.write(Buffer.concat(messages)),
    async until(type) {
      for (;;) {
        const end = incoming.findIndex((message) => message.type === type);
        if (end >= 0) return incoming.splice(0, end + 1).map(describe);
        if (socket.closed) throw new Error(`closed after ${incoming.map(describe).join(' ')}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    ask(...messages) {
      client.send(...messages);
      return client.until('Z');
    },
    async closed() {
      while (!socket.closed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return incoming.map(describe);
    },
  };

  const pairs = Object.entries({ user: username, database: pathname.slice(1), ...parameters });
  const body = pairs.flatMap(([name, value]) => [cString(name), cString(value)]);
  const packet = Buffer.concat([int32(196_608), ...body, Buffer.from([0])]);
  client.send(int32(packet.length + 4), packet);
  const [greeting] = await client.until('R');
  if (greeting === 'R 3') client.send(frame('p', cString(decodeURIComponent(password))));
  await client.until('Z');
  return client;
}

export const sync = frame('S');
export const flush = frame('H');

export function query(sql: string): Buffer {
  return frame('Q', cString(sql));
}

export function parse(name: string, sql: string): Buffer {
  return frame('P', cString(name), cString(sql), NO_VALUES);
}

/** Binds text values. */
export function bind(portal: string, statement: string, values: string[] = []): Buffer {
  const parts = values.map((value) => [int32(Buffer.byteLength(value)), Buffer.from(value)]);
  const count = Buffer.from([values.length >> 8, values.length & 255]);
  const name = [cString(portal), cString(statement), NO_VALUES];
  return frame('B', ...name, count, ...parts.flat(), NO_VALUES);
}

/** `rows`: how many at most; 0 for all. */
export function execute(portal: string, rows = 0): Buffer {
  return frame('E', cString(portal), int32(rows));
}

export function close(kind: 'S' | 'P', name: string): Buffer {
  return frame('C', Buffer.from(kind), cString(name));
}

const MAX_BYTES = 2 ** 28;
const NO_VALUES = Buffer.from([0, 0]);

/** 'D a,b' for a row, 'C tag', 'Z status', 'E code', 'A channel payload', 'R method'; else the type. */
function describe(message: Frame): string {
  const { type, bytes } = message;
  if (type === 'D') return `D ${readDataRow(message).join(',')}`;
  if (type === 'C') return `C ${readCString(bytes, 5).text}`;
  if (type === 'Z') return `Z ${String.fromCharCode(bytes[5] ?? 0)}`;
  if (type === 'E') return `E ${readError(message).code}`;
  if (type === 'R') return `R ${bytes.readInt32BE(5)}`;
  if (type !== 'A') return type;
  const channel = readCString(bytes, 9);
  return `A ${channel.text} ${readCString(bytes, channel.end).text}`;
}
