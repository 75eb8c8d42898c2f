const storageKey = 'grounded-chat-signed-in';

/**
 * Stores in this browser that an operator has signed in. Later, the sign-in page can show that the session has ended.
 */
export function rememberSession(): void {
  localStorage.setItem(storageKey, 'true');
}

/** Whether an operator has signed in with this browser and has not signed out. */
export function hadSession(): boolean {
  return localStorage.getItem(storageKey) !== null;
}

/** Call it when the operator signs out. */
export function forgetSession(): void {
  localStorage.removeItem(storageKey);
}
