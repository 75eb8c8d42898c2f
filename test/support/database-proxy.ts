import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestDatabase } from './database.ts';

/** A database that can be made to hang, or to go away, and to come back. */
export interface ProxiedDatabase extends TestDatabase {
  /** Says nothing more, to old connections and new ones. */
  hang(): void;
  /** Ends every connection and takes no new one. */
  cut(): void;
  restore(): void;
}

/** Puts a line between the service and `database`, which is dropped with the proxy. */
export async function proxyDatabase(database: TestDatabase): Promise<ProxiedDatabase> {
  const target = new URL(database.directUrl ?? database.url);
  const sockets = new Set<Socket>();
  let state: 'open' | 'hanging' | 'cut' = 'open';

  const server = createServer((client) => {
    if (state === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connect({ host: target.hostname, port: Number(target.port || 5432) });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      if (state === 'hanging') from.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);

  return {
    url: url.href,
    hang() {
      state = 'hanging';
      for (const socket of sockets) socket.pause();
    },
    cut() {
      state = 'cut';
      for (const socket of sockets) socket.destroy();
    },
    restore() {
      state = 'open';
      for (const socket of sockets) socket.resume();
    },
    async drop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await database.drop();
    },
  };
}
