import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type JWTPayload, jwtVerify } from 'jose';
import pg from 'pg';
import { type WebSocket, WebSocketServer } from 'ws';
import { migrate } from '../../../supabase/migrate.ts';

/**
 * Simulates the WebSocket API of Supabase Realtime: Phoenix protocol 2.0.0 with binary broadcast frames. The policies
 * in the test's Postgres decide who may join private topics. When a transaction commits, the server sends its new rows
 * of the messages table.
 */
export interface SupabaseRealtimeServer {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): Promise<void>;
}

export interface RealtimeSettings {
  readonly databaseUrl: string;
  readonly secretKey: string;
  /** Key with which user tokens and legacy API keys are signed. Both are JWTs. */
  readonly jwtSecret: Uint8Array;
}

interface Channel {
  readonly socket: WebSocket;
  readonly joinRef: string;
  readonly topic: string;
  readonly isPrivate: boolean;
  claims: JWTPayload;
}

type Frame = readonly [string | null, string | null, string, string, Record<string, unknown>];

export async function startSupabaseRealtime({
  databaseUrl,
  secretKey,
  jwtSecret,
}: RealtimeSettings): Promise<SupabaseRealtimeServer> {
  const client = await connect(databaseUrl);
  await client.query(readFileSync(new URL('../realtime-schema.sql', import.meta.url), 'utf8'));
  await migrate(databaseUrl);

  const server = new WebSocketServer({ noServer: true });
  const sockets = new Set<WebSocket>();
  let channels: Channel[] = [];
  let work = Promise.resolve();

  /** Runs tasks one after another, so that frames keep their order. */
  const enqueue = (next: () => Promise<void>) => {
    work = work.then(next).catch(() => {});
  };
  const claimsOf = async (token: string): Promise<JWTPayload | null> => {
    if (token === secretKey) return { role: 'service_role' };
    if (token.startsWith('sb_publishable_')) return { role: 'anon' };
    const verified = await jwtVerify(token, jwtSecret).catch(() => null);
    return verified?.payload ?? null;
  };
  const send = (socket: WebSocket, frame: Frame | Buffer) => {
    socket.send(Buffer.isBuffer(frame) ? frame : JSON.stringify(frame));
  };
  const reply = (socket: WebSocket, [joinRef, ref, topic]: Frame, status: string, response = {}) =>
    send(socket, [joinRef, ref, topic, 'phx_reply', { status, response }]);
  const closeChannel = (channel: Channel, message: string) => {
    channels = channels.filter((other) => other !== channel);
    const { socket, joinRef, topic } = channel;
    const name = topic.replace('realtime:', '');
    const payload = { message, status: 'error', extension: 'system', channel: name };
    send(socket, [joinRef, null, topic, 'system', payload]);
    send(socket, [joinRef, joinRef, topic, 'phx_close', {}]);
  };
  const broadcast = (topic: string, isPrivate: boolean, frame: Buffer, sender?: WebSocket) => {
    for (const channel of channels) {
      const isMatch = channel.topic === topic && channel.isPrivate === isPrivate;
      if (isMatch && channel.socket !== sender) send(channel.socket, frame);
    }
  };

  const join = async (socket: WebSocket, frame: Frame, handshake: JWTPayload) => {
    const [joinRef, , topic, , payload] = frame;
    const { config, access_token: token } = payload as {
      config: { private?: boolean };
      access_token?: string;
    };
    const isOfToken = token !== undefined && !token.startsWith('sb_');
    const claims = isOfToken ? await claimsOf(token) : handshake;
    if (claims === null) {
      return reply(socket, frame, 'error', { reason: 'JwtSignatureError: Failed to validate JWT' });
    }
    const isPrivate = config.private === true;
    const name = topic.replace('realtime:', '');
    if (isPrivate && !(await mayRead(client, name, claims))) {
      const reason = `Unauthorized: You do not have permissions to read from this Channel topic: ${name}`;
      return reply(socket, frame, 'error', { reason });
    }
    channels = channels.filter((other) => other.socket !== socket || other.topic !== topic);
    channels.push({ socket, joinRef: joinRef ?? '', topic, isPrivate, claims });
    reply(socket, frame, 'ok', { postgres_changes: [] });
  };
  const handleFrame = async (socket: WebSocket, frame: Frame, handshake: JWTPayload) => {
    const [, , topic, event, payload] = frame;
    const channel = channels.find((other) => other.socket === socket && other.topic === topic);
    if (event === 'phx_join') return join(socket, frame, handshake);
    if (event === 'heartbeat') return reply(socket, frame, 'ok');
    if (channel === undefined) return;
    if (event === 'phx_leave') {
      channels = channels.filter((other) => other !== channel);
      reply(socket, frame, 'ok');
      send(socket, [channel.joinRef, channel.joinRef, topic, 'phx_close', {}]);
    }
    if (event === 'access_token' && !String(payload.access_token).startsWith('sb_')) {
      const claims = await claimsOf(String(payload.access_token));
      const name = topic.replace('realtime:', '');
      const isAllowed = claims !== null && (await mayRead(client, name, claims));
      if (claims !== null && isAllowed) channel.claims = claims;
      else
        closeChannel(
          channel,
          `You no longer have permission to read from this Channel topic: ${name}`,
        );
    }
  };
  /**
   * Forwards a broadcast of one client to the other clients. If the client lacks permission, drops the broadcast
   * silently.
   */
  const relayBroadcast = async (socket: WebSocket, bytes: Buffer) => {
    const { topic, event, payload } = readPush(bytes);
    const channel = channels.find((other) => other.socket === socket && other.topic === topic);
    if (channel === undefined) return;
    const name = topic.replace('realtime:', '');
    if (channel.isPrivate && !(await maySend(client, name, channel.claims))) return;
    broadcast(topic, channel.isPrivate, broadcastFrame(topic, event, '', payload), socket);
  };

  client.on('notification', ({ payload }) => {
    enqueue(async () => {
      const { rows } = await client.query(
        `select id, topic, event, private, payload::text from realtime.messages where id = $1`,
        [payload],
      );
      for (const { id, topic, event, private: isPrivate, payload } of rows) {
        const meta = JSON.stringify({ id });
        const frame = broadcastFrame(`realtime:${topic}`, event, meta, Buffer.from(payload));
        broadcast(`realtime:${topic}`, isPrivate, frame);
      }
    });
  });
  await client.query('listen realtime_stand_in');

  return {
    handleUpgrade(request, socket, head) {
      enqueue(async () => {
        const { searchParams } = new URL(request.url ?? '', 'http://realtime');
        const claims = await claimsOf(searchParams.get('apikey') ?? '');
        if (claims === null || searchParams.get('vsn') !== '2.0.0') {
          socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
          return;
        }
        server.handleUpgrade(request, socket, head, (webSocket) => {
          sockets.add(webSocket);
          webSocket.on('error', () => {});
          webSocket.on('close', () => {
            sockets.delete(webSocket);
            channels = channels.filter((channel) => channel.socket !== webSocket);
          });
          webSocket.on('message', (data: Buffer, isBinary) => {
            if (isBinary) enqueue(() => relayBroadcast(webSocket, data));
            else enqueue(async () => handleFrame(webSocket, JSON.parse(String(data)), claims));
          });
        });
      });
    },
    async close() {
      for (const socket of sockets) socket.terminate();
      await work;
      await client.end().catch(() => {});
    },
  };
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // The database may be dropped before this client is closed. The error is then expected.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Returns whether the policies allow the user to read messages of the topic. Uses the same query as Realtime. */
async function mayRead(client: pg.Client, topic: string, claims: JWTPayload): Promise<boolean> {
  return asUser(client, topic, claims, async (become) => {
    const { rows } = await client.query(
      `insert into realtime.messages (topic, extension) values ($1, 'broadcast') returning id`,
      [topic],
    );
    await become();
    const { rowCount } = await client.query(
      `select id from realtime.messages where topic = $1 and extension = 'broadcast' and id = $2`,
      [topic, rows[0]?.id],
    );
    return rowCount === 1;
  });
}

async function maySend(client: pg.Client, topic: string, claims: JWTPayload): Promise<boolean> {
  return asUser(client, topic, claims, async (become) => {
    await become();
    const insert = `insert into realtime.messages (topic, extension) values ($1, 'broadcast')`;
    return client.query(insert, [topic]).then(
      () => true,
      () => false,
    );
  });
}

async function asUser(
  client: pg.Client,
  topic: string,
  claims: JWTPayload,
  probe: (become: () => Promise<unknown>) => Promise<boolean>,
): Promise<boolean> {
  const become = () =>
    client.query(
      `select set_config('role', $1, true), set_config('realtime.topic', $2, true),
         set_config('request.jwt.claims', $3, true)`,
      [claims.role, topic, JSON.stringify(claims)],
    );
  await client.query('begin');
  try {
    return await probe(become);
  } finally {
    await client.query('rollback');
  }
}

/**
 * Parses a push frame (kind 3). It contains the lengths of join reference, reference, topic, event and metadata, then
 * the encoding, then these texts and the payload.
 */
function readPush(bytes: Buffer): { topic: string; event: string; payload: Buffer } {
  const lengths = [...bytes.subarray(1, 6)];
  let from = 7;
  const texts = lengths.map((length) => {
    from += length;
    return String(bytes.subarray(from - length, from));
  });
  return { topic: texts[2] ?? '', event: texts[3] ?? '', payload: bytes.subarray(from) };
}

/**
 * Encodes a broadcast frame (kind 4). It contains the lengths of topic, event and metadata, then the encoding (1 is
 * JSON), then these texts and the payload.
 */
function broadcastFrame(topic: string, event: string, meta: string, payload: Buffer): Buffer {
  const texts = [topic, event, meta].map((text) => Buffer.from(text));
  return Buffer.concat([
    Buffer.from([4, ...texts.map(({ length }) => length), 1]),
    ...texts,
    payload,
  ]);
}
