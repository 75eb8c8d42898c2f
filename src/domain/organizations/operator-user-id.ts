import { v5 } from 'uuid';

/**
 * Returns the user id of an operator who signs in with links of the service. The id is derived from the e-mail address.
 */
export function operatorUserId(email: string): string {
  return v5(email.toLowerCase(), v5.URL);
}
