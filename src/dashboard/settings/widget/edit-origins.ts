/** Applies a change to the stored list of allowed domains. Resolves to whether the change was saved. */
export type UpdateAllowedOrigins = (
  change: (current: readonly string[]) => string[],
) => Promise<boolean>;
