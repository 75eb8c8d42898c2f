import { hkdfSync } from 'node:crypto';
import type { CookieOptions, Request, Response } from 'express';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { OidcAttempt } from '../../platform/oidc/oidc-provider.ts';
import { readCookies } from './session-cookie.ts';

/** A sign-in that was started in a browser and is not finished. */
export interface PendingSignIn extends OidcAttempt {
  /** Path of the dashboard that opens after the sign-in. */
  readonly returnTo: string;
}

/**
 * Stores pending sign-ins in browser cookies. So any process can finish a sign-in, and the service needs no storage.
 */
export interface OidcCookies {
  set(request: Request, response: Response, pending: PendingSignIn): Promise<void>;
  /**
   * Removes the cookie and returns its sign-in. Returns null if no sign-in has this state, or if the sign-in has
   * expired.
   */
  take(request: Request, response: Response, state: string): Promise<PendingSignIn | null>;
}

const prefix = 'grounded_oidc_';
const lifetimeSeconds = 600;
/**
 * Maximum number of pending sign-ins in one browser. A further one removes all earlier ones, so that the header stays
 * short.
 */
const maxPending = 5;

/**
 * Encrypts with a key that is derived from `secret`, which all processes have. SameSite=Lax, because the provider's
 * redirect must send the cookie.
 */
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

/** Returns a cookie name that is safe in headers, even if a forged callback has a strange state. */
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
