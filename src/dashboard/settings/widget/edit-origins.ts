/**
 * Applies a change to the stored list of allowed domains. Resolves to whether the change was saved. If the service
 * rejects a domain, `onInvalid` receives the reason in place of a notification.
 */
export type UpdateAllowedOrigins = (
  change: (current: readonly string[]) => string[],
  onInvalid?: (reason: string) => void,
) => Promise<boolean>;
