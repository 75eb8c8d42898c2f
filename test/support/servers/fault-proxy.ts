import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that simulates network failures. */
export interface FaultProxy {
  /** URL of the proxy. */
  readonly url: string;
  /** Closes all connections and refuses new ones. */
  cut(): void;
  /** Forwards no more data, on open and on new connections. */
  hang(): void;
  /** Forwards no more data on open connections. New connections work. */
  freeze(): void;
  /**
   * Counts the bytes that the server sends from now on. Closes the connection after its `count`-th byte. Works once.
   */
  cutAfterBytes(count: number): void;
  /** Closes all connections and forwards new ones to another server. */
  redirect(target: string): void;
  /** Ends the effect of `cut`, `hang` and `freeze`. */
  restore(): void;
  close(): Promise<void>;
}

/** Starts a proxy. `target` is the URL of the server, including its port. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  let { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let state: 'open' | 'hanging' | 'cut' = 'open';
  let bytesToCut: number | null = null;
  const server = createServer((client) => {
    if (state === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes: Buffer) => {
        if (bytesToCut === null || from === client) {
          to.write(bytes);
        } else if (bytes.length < bytesToCut) {
          bytesToCut -= bytes.length;
          to.write(bytes);
        } else {
          to.end(bytes.subarray(0, bytesToCut), () => to.destroy());
          bytesToCut = null;
        }
      });
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      if (state === 'hanging') from.pause();
    }
  });
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const pauseAll = () => {
    for (const socket of sockets) socket.pause();
  };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      state = 'cut';
      destroyAll();
    },
    hang() {
      state = 'hanging';
      pauseAll();
    },
    freeze: pauseAll,
    redirect(other) {
      ({ hostname, port } = new URL(other));
      destroyAll();
    },
    cutAfterBytes(count) {
      bytesToCut = count;
    },
    restore() {
      state = 'open';
      for (const socket of sockets) socket.resume();
    },
    async close() {
      // Refuses new connections, because a later connection would keep the server open.
      state = 'cut';
      destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
