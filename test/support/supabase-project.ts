import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSupabaseStorage, type SupabaseStorageServer } from './supabase-storage-server.ts';

/** A stand-in for a Supabase project at its network edge: its gateway, and the services behind it. */
export interface SupabaseProjectServer {
  /** Such as `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly secretKey: string;
  readonly storage: SupabaseStorageServer;
  close(): Promise<void>;
}

export async function startSupabaseProject(
  options: { readonly sizeLimit?: number } = {},
): Promise<SupabaseProjectServer> {
  const secretKey = 'sb_secret_only_the_tests_know_of_it';
  const storage = createSupabaseStorage({ secretKey, ...options });
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/storage/v1/')) return storage.handle(request, response);
    return response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    secretKey,
    storage,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
