import { v5 } from 'uuid';

/** Returns the user id of an operator who signs in with links of the service. It is derived from the address. */
export function operatorUserId(email: string): string {
  return v5(email.toLowerCase(), v5.URL);
}
