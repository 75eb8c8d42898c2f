import {
  createClient,
  type SupabaseClient,
  type SupabaseClientOptions,
} from '@supabase/supabase-js';
import { userAgent } from './version.ts';

export interface SupabaseProject {
  /** Origin of the Supabase project without a trailing slash. */
  readonly url: string;
  /** Secret key (`sb_secret_…`) or legacy `service_role` key. It bypasses row level security. */
  readonly secretKey: string;
}

/** Creates a client that authenticates with the secret key. The client opens no connection before the first call. */
export function createSupabaseClient(
  { url, secretKey }: SupabaseProject,
  options: Pick<SupabaseClientOptions<'public'>, 'global' | 'realtime'> = {},
): SupabaseClient {
  // `accessToken` turns off the client's own user sessions.
  return createClient(url, secretKey, {
    ...options,
    global: { headers: { 'User-Agent': userAgent }, ...options.global },
    accessToken: async () => secretKey,
  });
}
