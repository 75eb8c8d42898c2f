/** The claimed key of the request that a verb serves. */
export interface ClaimedKey {
  readonly keyId: string;
  readonly idempotencyKey: string;
  /** Identifies the claim. Another process that takes over the key has another runner. */
  readonly runner: string;
  /** Id of what an earlier attempt stored before its process died, or null. */
  readonly effectId: string | null;
}
