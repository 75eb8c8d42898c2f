import type { PageFields } from '../request/pagination.ts';
import type { ProjectBody } from '../request/read-input.ts';

export interface CreateKeyRequest extends ProjectBody {
  /**
   * Display name, for example of the program that uses the key.
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   * @extension {"x-pattern-message": "must not be blank"}
   * @example "Nightly import"
   */
  readonly name: string;
  /**
   * What the key may do. The calling key must have each of these scopes.
   * @minItems 1
   * @maxItems 20
   * @example ["knowledge:read", "knowledge:write"]
   */
  readonly scopes: (
    | 'chat'
    | 'knowledge:read'
    | 'knowledge:write'
    | 'conversations:read'
    | 'analytics:read'
    | 'handoff:write'
    | 'webhooks:write'
    | 'keys:write'
    | 'evaluation:read'
    | 'evaluation:write'
  )[];
  /**
   * The documents that the key sees, in the format of a search `filter`. The filter of the calling key also applies. A
   * key with a filter cannot have `knowledge:write` or `webhooks:write`. Default: the filter of the calling key, or all
   * documents.
   * @example {"tags": {"in": ["public"]}}
   */
  readonly filter?: { [field: string]: unknown };
  /**
   * Expiry time, in the future. Default: the key expires with the calling key, or never.
   * @format date-time
   * @example "2036-11-21T09:30:00.000Z"
   */
  readonly expiresAt?: string;
  /**
   * If true, the key is valid for all projects of the organization. Only an org-wide key may create such a key.
   * @default false
   */
  readonly isOrgWide?: boolean;
}

export interface KeyRecord {
  /**
   * Id of the key. The id is not secret and cannot be used to authenticate.
   * @format uuid
   * @example "01980a3f-3c4d-7e5f-8a61-7c8d9e0f1a2b"
   */
  readonly id: string;
  /**
   * Display name.
   * @maxLength 200
   * @example "Nightly import"
   */
  readonly name: string;
  /**
   * First characters of the secret.
   * @maxLength 10
   * @example "sk_4fTq"
   */
  readonly prefix: string;
  /**
   * Last four characters of the secret.
   * @maxLength 4
   * @example "9xZa"
   */
  readonly lastFour: string;
  /**
   * What the key may do.
   * @example ["knowledge:read", "knowledge:write"]
   */
  readonly scopes: (
    | 'chat'
    | 'knowledge:read'
    | 'knowledge:write'
    | 'conversations:read'
    | 'analytics:read'
    | 'handoff:write'
    | 'webhooks:write'
    | 'keys:write'
    | 'evaluation:read'
    | 'evaluation:write'
  )[];
  /**
   * The documents that the key sees, in the format of a search `filter`. Null: all documents of the projects of the
   * key.
   * @example {"tags": {"in": ["public"]}}
   */
  readonly filter: { [field: string]: unknown } | null;
  /**
   * The project that the key is bound to. Null for an org-wide key.
   * @format uuid
   * @example "01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e20"
   */
  readonly projectId: string | null;
  /**
   * Who created the key: an operator's e-mail address or id, `key:` and the name of an API key, or `service`.
   * @maxLength 254
   * @example "grace@example.com"
   */
  readonly createdBy: string;
  /**
   * Time of creation.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly createdAt: string;
  /**
   * Time of the last request, at most 60 seconds late. Null if the key was never used.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly lastUsedAt: string | null;
  /**
   * Time when the key expires, or null.
   * @format date-time
   * @example "2036-11-21T09:30:00.000Z"
   */
  readonly expiresAt: string | null;
  /**
   * Time when the key stops working. For a rotated key that is still valid, this time is in the future. Null if the key
   * was not revoked.
   * @format date-time
   * @example "2026-11-22T09:30:00.000Z"
   */
  readonly revokedAt: string | null;
}

export interface KeyWithSecret extends KeyRecord {
  /**
   * The secret to authenticate with. Store it now: it cannot be read again.
   * @pattern ^sk_[0-9A-Za-z]+$
   * @example "sk_4fTq0000000000000000000000000000000000000000009xZa"
   */
  readonly secret: string;
}

export interface KeyPage extends PageFields {
  /** The keys, newest first. */
  readonly data: KeyRecord[];
}

export const keyFields =
  'id name prefix lastFour scopes filter projectId createdBy createdAt lastUsedAt expiresAt revokedAt';
