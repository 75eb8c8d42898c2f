import { hkdfSync } from 'node:crypto';
import type { CookieOptions, Request, Response } from 'express';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { OidcAttempt } from '../../platform/oidc/oidc-provider.ts';
import { readCookies } from './session-cookie.ts';

/** A sign-in that has begun in a browser. */
export interface PendingSignIn extends OidcAttempt {
  /** Path of the dashboard to open after the sign-in. */
  readonly returnTo: string;
}

/** Keeps pending sign-ins in cookies of the browser, so that any process can finish them, without storage. */
export interface OidcCookies {
  set(request: Request, response: Response, pending: PendingSignIn): Promise<void>;
  /** Removes the cookie and returns its sign-in, or null if there is none with this state or it has expired. */
  take(request: Request, response: Response, state: string): Promise<PendingSignIn | null>;
}

const prefix = 'grounded_oidc_';
const lifetimeSeconds = 600;
/** Tabs that sign in at the same time. More forget the earlier ones, so that the header stays short. */
const maxPending = 5;

/** Encrypts with a key that is derived from `secret`, which all processes have. SameSite=Lax: the provider leads back. */
export function createOidcCookies(
  secret: Uint8Array,
  options: { readonly path: string; readonly isSecure: boolean },
): OidcCookies {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'grounded-chat OIDC sign-in', 32));
  const attributes: CookieOptions = {
    httpOnly: true,
    sameSite: 'lax',
    secure: options.isSecure,
    path: options.path,
  };
  return {
    async set(request, response, pending) {
      const held = [...readCookies(request).keys()].filter((name) => name.startsWith(prefix));
      if (held.length >= maxPending) {
        for (const name of held) response.clearCookie(name, attributes);
      }
      const value = await new EncryptJWT({ ...pending })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(new Date(Date.now() + lifetimeSeconds * 1_000))
        .encrypt(key);
      const maxAge = lifetimeSeconds * 1_000;
      response.cookie(nameOf(pending.state), value, { ...attributes, maxAge });
    },
    async take(request, response, state) {
      const value = readCookies(request).get(nameOf(state));
      if (value === undefined) return null;
      response.clearCookie(nameOf(state), attributes);
      const pending = await decrypt(value, key);
      return pending?.state === state ? pending : null;
    },
  };
}

/** A name that is safe in headers, whatever the state of a forged callback is. */
function nameOf(state: string): string {
  return `${prefix}${/^[\w-]{43}$/.test(state) ? state.slice(0, 16) : 'none'}`;
}

async function decrypt(value: string, key: Uint8Array): Promise<PendingSignIn | null> {
  try {
    const { payload } = await jwtDecrypt<PendingSignIn>(value, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
      requiredClaims: ['exp'],
    });
    return payload;
  } catch {
    return null;
  }
}
