const storageKey = 'grounded-chat:last-project';

/** Returns the id of the project that was last open in this browser, or null. */
export function lastProjectId(): string | null {
  return localStorage.getItem(storageKey);
}

/** Stores the project, so that the dashboard opens with it next time. */
export function rememberProject(id: string): void {
  localStorage.setItem(storageKey, id);
}
