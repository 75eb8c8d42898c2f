/** The tab of the inbox that was open last in this browser tab, by project. */
const lastTabs = new Map<string, string>();

/** Remembers the tab that is open, as in the address. Null for *Waiting*. */
export function rememberInboxTab(projectId: string, tab: string | null): void {
  if (tab === null) lastTabs.delete(projectId);
  else lastTabs.set(projectId, tab);
}

/** Returns the address of the inbox with the tab that was open last. */
export function inboxAddress(projectId: string): string {
  const tab = lastTabs.get(projectId);
  return `/${projectId}/inbox${tab === undefined ? '' : `?show=${tab}`}`;
}

const tabs = { REQUESTED: '', CLAIMED: '?show=progress', RESOLVED: '?show=resolved' } as const;

/** Returns the address of a conversation in the inbox, with the tab that lists its latest handoff. */
export function handoffAddress(
  projectId: string,
  conversationId: string,
  status: keyof typeof tabs,
  isMine: boolean,
): string {
  return `/${projectId}/inbox/${conversationId}${isMine ? '?show=mine' : tabs[status]}`;
}
