/**
 * Tells the browser's other tabs that somebody has signed in or out: the session is the browser's, and a tab that went
 * on as before would show one person's pages with another's rights.
 */
export function tellOtherTabs(): void {
  channel.postMessage('changed');
}

/** Begins anew when another tab has signed in or out. */
export function followOtherTabs(): () => void {
  const begin = () => location.reload();
  channel.addEventListener('message', begin);
  return () => channel.removeEventListener('message', begin);
}

const channel = new BroadcastChannel('grounded-chat session');
