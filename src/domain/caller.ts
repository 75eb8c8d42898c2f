import type { ApiKeyScope } from '../platform/postgres/generated/prisma/enums.ts';

/**
 * The caller of a verb (a domain operation such as `sendMessage`). Organizations and roles of an operator come from the
 * members table, never from the token.
 */
export type Caller =
  | { readonly type: 'anonymous' }
  | ApiKeyCaller
  | VisitorCaller
  /** `email` is null if the address is not verified. */
  | {
      readonly type: 'operator';
      readonly userId: string;
      readonly email: string | null;
      /** Token expiry. Subscribers must reconnect with a new token. */
      readonly expiresAt?: Date;
      /** Dashboard session to which the token belongs. */
      readonly sessionId?: string;
      /**
       * Organizations that the session is limited to. Set if an invitation or sign-in link of an organization started
       * the session. Undefined: all organizations of the operator.
       */
      readonly organizationIds?: readonly string[];
    }
  /** `expiresAt` is the token expiry. Undefined if the service itself is the caller. */
  | { readonly type: 'service'; readonly expiresAt?: Date };

export interface ApiKeyCaller {
  readonly type: 'key';
  readonly keyId: string;
  readonly organizationId: string;
  /** Project of the key. Null for an org-wide key. */
  readonly projectId: string | null;
  readonly scopes: readonly ApiKeyScope[];
  /**
   * Filter of the documents that the key sees, as stored JSON (`callerFilter`). Null: all documents of its projects.
   */
  readonly filter: unknown;
}

/**
 * A website visitor who uses the widget. Visitors can access only conversations that have their `endUserId`. Only
 * verified visitors can access the conversations of verified visitors.
 */
export interface VisitorCaller {
  readonly type: 'visitor';
  readonly organizationId: string;
  readonly projectId: string;
  /** Identifies the visitor's conversations: the id that the website has signed, or `visitor-` and a random id. */
  readonly endUserId: string;
  /** Version of the secret that verified the id. Null for an anonymous visitor. */
  readonly identityVersion: number | null;
  /** The widget's key and the origin of the page that embeds the widget. */
  readonly publishableKey: string;
  readonly origin: string;
  readonly expiresAt: Date;
}
