import {
  createClient,
  type SupabaseClient,
  type SupabaseClientOptions,
} from '@supabase/supabase-js';

export interface SupabaseProject {
  /** Origin without a trailing slash. */
  readonly url: string;
  /** Does everything in the project: `sb_secret_…`, or the key of `service_role`. */
  readonly secretKey: string;
}

/** A client that acts as the service itself. It opens no connection before it is used. */
export function supabaseClient(
  { url, secretKey }: SupabaseProject,
  options: Pick<SupabaseClientOptions<'public'>, 'global' | 'realtime'> = {},
): SupabaseClient {
  // The key is the token as well, which keeps the client's own signing-in out of the way.
  return createClient(url, secretKey, { ...options, accessToken: async () => secretKey });
}
