import { createServer, type Socket } from 'node:net';
import { type Connection, createConnection } from './connection.ts';
import type { Engine } from './engine.ts';
import { flushAndCloseSocket } from './flush-and-close-socket.ts';
import type { Limits } from './limits.ts';
import { readParameterStatus } from './parameter-status.ts';
import { createSessionQueue, type SessionQueue } from './session-queue.ts';
import type { RunSql, Settings } from './session-settings.ts';
import { createSharedSession, type SharedSession } from './shared-session.ts';
import { errorResponse } from './wire-messages.ts';

/** Serves the Postgres wire protocol on loopback. All clients share one Postgres session. */
export interface WireServer {
  port: number;
  /** Waits until no client uses the session, then runs `work`. No client can use the session while `work` runs. */
  runExclusively<T>(work: (runSql: RunSql) => Promise<T>): Promise<T>;
  /** Refuses new clients, closes open connections, and resolves when no client uses the session. */
  close(): Promise<void>;
}

/**
 * Opens the server on a free port of 127.0.0.1.
 * @param options.onFatalError called with errors that are bugs of this server. The state of the server is then
 * undefined, so the callback must exit the thread.
 */
export async function openWireServer(options: {
  engine: Engine;
  password: string;
  limits: Limits;
  onFatalError(error: unknown): void;
}): Promise<WireServer> {
  const { engine, password, limits, onFatalError } = options;
  const shared = createSharedSession(engine);
  const queue = createSessionQueue({
    holdLimitMs: limits.idleInTransactionTimeoutMs,
    onError: onFatalError,
  });
  const connections = new Set<Connection>();
  const parameters = await readParameterStatus(shared.runSql);
  let lastId = 0;

  const accept = (socket: Socket) => {
    if (connections.size >= limits.maxConnections) {
      socket.on('error', () => socket.destroy());
      flushAndCloseSocket(
        socket,
        errorResponse('FATAL', '53300', 'sorry, too many clients already'),
      );
      return;
    }
    lastId += 1;
    const client = { id: lastId, socket, password, parameters, shared, queue, limits };
    const connection = createConnection({
      ...client,
      onClosed: () => connections.delete(connection),
    });
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
    runExclusively: (work) => runInSession(queue, () => withDefaultSettings(shared, work)),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      await drainReceivedData();
      for (const connection of connections) {
        connection.close('57P01', 'terminating connection due to administrator command');
      }
      await closed;
      await queue.waitUntilIdle();
    },
  };
}

function withDefaultSettings<T>(
  shared: SharedSession,
  work: (runSql: RunSql) => Promise<T>,
): Promise<T> {
  return shared.settings.switchTo(noSettings).then(() => work(shared.runSql));
}

const noSettings: Settings = new Map();

/**
 * Runs `work` when the queue grants the session. An error of `work` rejects the returned promise and does not reach the
 * queue.
 */
function runInSession<T>(queue: SessionQueue, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isDone = false;
    queue.notifyReady({
      isReady: () => !isDone,
      async runTurn() {
        isDone = true;
        await work().then(resolve, reject);
        return false;
      },
      evict() {},
    });
  });
}

/**
 * Waits until Node has read the data that the sockets have already received. So a client that has sent Terminate gets
 * no error.
 */
async function drainReceivedData(): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
