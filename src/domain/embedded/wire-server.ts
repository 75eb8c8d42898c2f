import { createServer, type Socket } from 'node:net';
import { type Connection, createConnection } from './connection.ts';
import { endSocket } from './end-socket.ts';
import type { Engine } from './engine.ts';
import { errorFrame } from './frames.ts';
import type { Limits } from './limits.ts';
import { reportedSettings } from './reported-settings.ts';
import { createSessionQueue, type SessionQueue } from './session-queue.ts';
import type { RunSql, Settings } from './session-settings.ts';
import { createSharedSession, type SharedSession } from './shared-session.ts';

/** Postgres' wire protocol on loopback, for many clients of one session. */
export type WireServer = {
  port: number;
  /** Runs work of our own when the session is free and the only user of it. */
  exclusively<T>(work: (runSql: RunSql) => Promise<T>): Promise<T>;
  /** Takes no more clients, ends those there are, and resolves when the session is free. */
  close(): Promise<void>;
};

/** `fail` gets defects of this server; nothing can be trusted to work after one. */
export async function openWireServer(options: {
  engine: Engine;
  password: string;
  limits: Limits;
  fail(error: unknown): void;
}): Promise<WireServer> {
  const { engine, password, limits, fail } = options;
  const shared = createSharedSession(engine);
  const queue = createSessionQueue({ holdLimitMs: limits.idleInTransactionMs, fail });
  const connections = new Set<Connection>();
  const parameters = await reportedSettings(shared.runSql);
  let lastId = 0;

  const accept = (socket: Socket) => {
    if (connections.size >= limits.maxConnections) {
      socket.on('error', () => socket.destroy());
      endSocket(socket, errorFrame('FATAL', '53300', 'sorry, too many clients already'));
      return;
    }
    lastId += 1;
    const client = { id: lastId, socket, password, parameters, shared, queue, limits };
    const connection = createConnection({ ...client, onEnd: () => connections.delete(connection) });
    connections.add(connection);
  };

  const server = createServer({ noDelay: true }, accept);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not a TCP server');

  return {
    port: address.port,
    exclusively: (work) => takeTurn(queue, () => withoutSettings(shared, work)),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      await readWhatHasArrived();
      for (const connection of connections) {
        connection.close('57P01', 'terminating connection due to administrator command');
      }
      await closed;
      await queue.idle();
    },
  };
}

function withoutSettings<T>(
  shared: SharedSession,
  work: (runSql: RunSql) => Promise<T>,
): Promise<T> {
  return shared.settings.switchTo(NO_SETTINGS).then(() => work(shared.runSql));
}

const NO_SETTINGS: Settings = new Map();

/** One turn for `work`; its failure is the caller's, not the queue's. */
function takeTurn<T>(queue: SessionQueue, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isDone = false;
    queue.ready({
      hasTurn: () => !isDone,
      async takeTurn() {
        isDone = true;
        await work().then(resolve, reject);
        return false;
      },
      evict() {},
    });
  });
}

/** A client that has said good-bye needs no error: its last message may wait to be read. */
async function readWhatHasArrived(): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
