import { z } from 'zod';
import { DomainError } from './errors.ts';
import { userAgent } from './version.ts';

export interface SupabaseUsersSettings {
  /** Origin of the Supabase project without a trailing slash. */
  readonly url: string;
  /** Any API key of the project. The gateway requires it in addition to the user's token. */
  readonly apiKey: string;
  /** Maximum time of a request. Default: 5 s. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Returns the e-mail address of the user to whom a token belongs. Returns null if Supabase Auth has not confirmed the
 * address. Reads `email_confirmed_at` of the user record: users cannot change this field, but they can change their
 * `user_metadata`.
 * @throws DomainError UNAUTHENTICATED when Supabase Auth refuses the token, for example because its session has ended
 * @throws DomainError UNAVAILABLE when Supabase Auth does not respond, or its response is not as expected
 */
export async function fetchConfirmedEmail(
  { url, apiKey, timeoutMs = 5_000 }: SupabaseUsersSettings,
  token: string,
): Promise<{ readonly userId: string; readonly email: string } | null> {
  const { status, body } = await readUser(`${url}/auth/v1/user`, {
    headers: { apikey: apiKey, Authorization: `Bearer ${token}`, 'User-Agent': userAgent },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { data: refusal } = refusalSchema.safeParse(body);
  const code = refusal?.error_code ?? refusal?.code;
  if ((status === 401 || status === 403) && tokenRefusals.has(code)) {
    throw new DomainError('UNAUTHENTICATED', 'The session has ended: sign in again');
  }
  const { data: user } = userSchema.safeParse(body);
  if (status !== 200 || user === undefined) {
    throw unavailable(new Error(`Supabase Auth answered with status ${status}`));
  }
  const { id: userId, email, email_confirmed_at: confirmedAt, is_anonymous: isAnonymous } = user;
  return confirmedAt && email && isAnonymous !== true ? { userId, email } : null;
}

const userSchema = z.object({
  id: z.string(),
  email: z.string().nullish(),
  email_confirmed_at: z.string().nullish(),
  is_anonymous: z.boolean().nullish(),
});

/** Older versions of Supabase Auth send the HTTP status in `code` and the error code in `error_code`. */
const refusalSchema = z.object({ error_code: z.unknown(), code: z.unknown() }).partial();

/**
 * Error codes that mean that the token is refused. If the gateway refuses the API key, it sends none of these codes,
 * because the user is not the cause.
 */
const tokenRefusals: ReadonlySet<unknown> = new Set([
  'bad_jwt',
  'no_authorization',
  'session_expired',
  'session_not_found',
  'user_banned',
  'user_not_found',
]);

/** User records can be large, because they contain `user_metadata`, which users write. */
const maxBodyBytes = 1_000_000;

async function readUser(
  address: string,
  init: RequestInit,
): Promise<{ readonly status: number; readonly body: unknown }> {
  try {
    const response = await fetch(address, init);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const reader = response.body?.getReader();
    for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
      bytes += read.value.length;
      if (bytes > maxBodyBytes) {
        void reader?.cancel().catch(() => {});
        throw new Error('The user record is too long');
      }
      chunks.push(read.value);
    }
    return { status: response.status, body: parseJson(Buffer.concat(chunks).toString()) };
  } catch (cause) {
    throw unavailable(cause);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function unavailable(cause: unknown): DomainError {
  const message =
    'The e-mail address of the token cannot be confirmed at the moment: try again later';
  return new DomainError('UNAVAILABLE', message, { cause, retryable: true });
}
