import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be cut as by a network that fails, and mended. */
export interface BreakableLine {
  /** Leads to the server. */
  readonly url: string;
  /** Ends every connection and takes no new one. */
  cut(): void;
  mend(): void;
  /** Lets nothing through any more on the connections there are, which stay. */
  freeze(): void;
  close(): Promise<void>;
}

export async function startBreakableLine(target: string): Promise<BreakableLine> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      endAll();
    },
    mend() {
      isCut = false;
    },
    freeze() {
      for (const socket of sockets) socket.unpipe();
    },
    async close() {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
