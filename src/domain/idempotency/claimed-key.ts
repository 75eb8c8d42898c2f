/** The `Idempotency-Key` that the current request has claimed. */
export interface ClaimedKey {
  readonly keyId: string;
  readonly idempotencyKey: string;
  /** Identifies the claim. If another process takes over the key, its claim has a different `runner`. */
  readonly runner: string;
  /** Id of the effect that an earlier attempt stored before its process died, or null. */
  readonly effectId: string | null;
}
