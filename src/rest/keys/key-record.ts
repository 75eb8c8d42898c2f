import type { PageFields } from '../request/pagination.ts';
import type { ProjectBody } from '../request/read-input.ts';

/** Permission of an API key. Each operation names the scope that it needs. */
export type KeyScope =
  | 'chat'
  | 'knowledge:read'
  | 'knowledge:write'
  | 'conversations:read'
  | 'analytics:read'
  | 'handoff:write'
  | 'webhooks:write'
  | 'keys:write'
  | 'evaluation:read'
  | 'evaluation:write';

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
   * Permissions of the new key. The calling key must have each of these scopes.
   * @minItems 1
   * @maxItems 20
   * @example ["knowledge:read", "knowledge:write"]
   */
  readonly scopes: KeyScope[];
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
  readonly id: string;
  /**
   * Display name, chosen by the creator of the key.
   * @maxLength 200
   * @example "Nightly import"
   */
  readonly name: string;
  /**
   * @maxLength 10
   * @example "sk_4fTq"
   */
  readonly prefix: string;
  /**
   * @maxLength 4
   * @example "9xZa"
   */
  readonly lastFour: string;
  /**
   * Permissions of the key. Each operation names the scope that it needs.
   * @example ["knowledge:read", "knowledge:write"]
   */
  readonly scopes: KeyScope[];
  /**
   * The documents that the key sees, in the format of a search `filter`. Null: all documents of the projects of the
   * key.
   * @example {"tags": {"in": ["public"]}}
   */
  readonly filter: { [field: string]: unknown } | null;
  /** The project that the key is bound to. Null for an org-wide key. */
  readonly projectId: string | null;
  /**
   * @maxLength 254
   * @example "grace@example.com"
   */
  readonly createdBy: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
  /**
   * Time when the key stops working. For a rotated key that is still valid, this time is in the future. Null if the key was not revoked.
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
