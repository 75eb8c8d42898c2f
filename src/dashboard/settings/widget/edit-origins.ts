/**
 * Applies a change to the stored list of allowed domains. Resolves to true if the change was saved. If the service
 * rejects a domain, `onInvalid` receives the reason, and no notification is shown.
 */
export type UpdateAllowedOrigins = (
  change: (current: readonly string[]) => string[],
  onInvalid?: (reason: string) => void,
) => Promise<boolean>;
