/** Facts that a conversation has about its end user. */
interface EndUser {
  readonly id: string;
  readonly endUserId: string | null;
  readonly endUserName: string | null;
  readonly endUserEmail: string | null;
}

const generatedId = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const suffixLength = 4;

/**
 * Returns the name of the end user, else the e-mail address, else the id that the website has given. An end user of
 * whom only a generated id is known is "Visitor" with its last characters, which are the same in every conversation.
 * `handoff` has what the end user entered to reach the team.
 */
export function endUserLabel(
  { id, endUserId, endUserName, endUserEmail }: EndUser,
  handoff: { readonly name: string | null; readonly email: string | null } | null = null,
): string {
  const known = handoff?.name ?? endUserName ?? handoff?.email ?? endUserEmail;
  if (known !== null && known !== undefined) return known;
  if (hasOwnId(endUserId)) return endUserId;
  return `Visitor ${(endUserId ?? id).slice(-suffixLength)}`;
}

/** Returns the label, the e-mail address and the id that the website has given, each once. */
export function endUserDetails(endUser: EndUser): string {
  const { endUserId, endUserEmail } = endUser;
  const details = [endUserLabel(endUser), endUserEmail, hasOwnId(endUserId) ? endUserId : null];
  return [...new Set(details.filter((detail) => detail !== null))].join(' · ');
}

/** Whether the website has given the id. Otherwise the widget has generated it. */
function hasOwnId(endUserId: string | null): endUserId is string {
  return endUserId !== null && !generatedId.test(endUserId);
}
