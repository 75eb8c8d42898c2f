import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type SupabaseRealtimeServer, startSupabaseRealtime } from './supabase-realtime-server.ts';
import { createSupabaseStorage, type SupabaseStorageServer } from './supabase-storage-server.ts';

/** Simulates the network API of a Supabase project: its gateway, and the services that the gateway forwards to. */
export interface SupabaseProjectServer {
  /** URL of the project, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly secretKey: string;
  /** Key with which user tokens are signed. */
  readonly jwtSecret: Uint8Array;
  readonly storage: SupabaseStorageServer;
  close(): Promise<void>;
}

export interface SupabaseProjectWithRealtime extends SupabaseProjectServer {
  readonly realtime: SupabaseRealtimeServer;
  /** Settings with which a service process uses Storage and Realtime. */
  readonly settings: Readonly<Record<string, string>>;
}

const secretKey = 'sb_secret_only_the_tests_know_of_it';
const jwtSecretText = 'a secret that only the tests know of';
const jwtSecret = new TextEncoder().encode(jwtSecretText);

/** Starts a project that has only Storage. `sizeLimit` is the upload limit of the project in bytes. */
export async function startSupabaseProject(
  options: { readonly sizeLimit?: number } = {},
): Promise<SupabaseProjectServer> {
  return startGateway(null, options);
}

/** Starts a project that has Storage and Realtime. Creates Realtime's schema and policies in the database. */
export async function startSupabaseProjectWithRealtime(
  databaseUrl: string,
): Promise<SupabaseProjectWithRealtime> {
  const realtime = await startSupabaseRealtime({ databaseUrl, secretKey, jwtSecret });
  const project = await startGateway(realtime, {});
  const settings = {
    SUPABASE_URL: project.url,
    SUPABASE_SECRET_KEY: secretKey,
    SUPABASE_JWT_SECRET: jwtSecretText,
  };
  return { ...project, realtime, settings };
}

async function startGateway(
  realtime: SupabaseRealtimeServer | null,
  options: { readonly sizeLimit?: number },
): Promise<SupabaseProjectServer> {
  const storage = createSupabaseStorage({ secretKey, ...options });
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/storage/v1/')) return storage.handle(request, response);
    return response.writeHead(404).end();
  });
  server.on('upgrade', (request, socket, head) => {
    const isOurs = request.url?.startsWith('/realtime/v1/websocket?') ?? false;
    if (realtime !== null && isOurs) realtime.handleUpgrade(request, socket, head);
    else socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    secretKey,
    jwtSecret,
    storage,
    async close() {
      await realtime?.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
