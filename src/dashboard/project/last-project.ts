const storageKey = 'grounded-chat:last-project';

/** Returns the id of the project that was open last in this browser, or null. */
export function lastProjectId(): string | null {
  return localStorage.getItem(storageKey);
}

/** Makes the dashboard open with this project next time. */
export function rememberProject(id: string): void {
  localStorage.setItem(storageKey, id);
}
