/**
 * Notifies the browser's other tabs of a sign-in or sign-out, so that they reload. All tabs share the session. Without
 * a reload, a tab would show the pages of one operator with the permissions of another operator.
 */
export function notifyOtherTabs(): void {
  channel.postMessage('changed');
}

/** Reloads the page after a sign-in or sign-out in another tab. Returns a function that stops watching for this. */
export function reloadOnSessionChange(): () => void {
  const reload = () => location.reload();
  channel.addEventListener('message', reload);
  return () => channel.removeEventListener('message', reload);
}

const channel = new BroadcastChannel('grounded-chat session');
