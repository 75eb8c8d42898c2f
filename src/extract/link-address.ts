/**
 * Maximum length of an address that is added to the text. Longer addresses are useful for machines, but not for
 * readers.
 */
const maxAddressLength = 500;
/** Maximum length of the text of a link. No address is added to a longer text. */
const maxTextLength = 2_000;

/**
 * Returns the text of a link, and adds the address in brackets if the text does not contain it. Only adds addresses
 * that are useful outside the document: of websites, mailboxes and telephones.
 */
export function linkText(text: string, target: string): string {
  return text + addressAfter(text, target);
}

/**
 * Returns the part that `linkText` adds to the text, or ''. A web address is not added to an empty text, such as that
 * of a logo.
 */
export function addressAfter(text: string, target: string): string {
  const address = text.length > maxTextLength ? '' : linkAddress(target);
  if (address === '') return '';
  if (!/\S/.test(text)) return isWebAddress(target) ? '' : address;
  return text.includes(bareAddress(address)) ? '' : ` (${address})`;
}

/** Returns a web address unchanged, a mail address or a telephone number. Returns '' for any other target. */
export function linkAddress(target: string): string {
  const [, scheme = '', rest = ''] = /^\s*(https?:\/\/|mailto:|tel:)(\S.*)$/is.exec(target) ?? [];
  const isContact = scheme.endsWith(':');
  const address = isContact ? (rest.split('?')[0] ?? '') : `${scheme}${rest}`;
  const written = address.trim().replace(/\s+/g, '%20');
  return written.length <= maxAddressLength ? written : '';
}

/** Whether the target is a web page. */
export function isWebAddress(target: string): boolean {
  return /^\s*https?:/i.test(target);
}

/** Returns the address in the form that people write: without `https://`, `www.` and the last slash. */
function bareAddress(address: string): string {
  return address.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');
}
