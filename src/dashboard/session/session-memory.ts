const storageKey = 'grounded-chat-signed-in';

/** Remembers in this browser that an operator has signed in, so that the sign-in page can say that the session ended. */
export function rememberSession(): void {
  localStorage.setItem(storageKey, 'true');
}

/** Whether an operator signed in with this browser and did not sign out. */
export function hadSession(): boolean {
  return localStorage.getItem(storageKey) !== null;
}

/** Call it when the operator signs out. */
export function forgetSession(): void {
  localStorage.removeItem(storageKey);
}
