/** Longer addresses carry more for machines than for readers. */
const maxAddressLength = 500;
/** Longer links are no words that an address belongs to. */
const maxTextLength = 2_000;

/**
 * Returns the text of a link, followed by its address in brackets if the text does not contain it. Only addresses that
 * are of use outside the document count: of websites, mailboxes and telephones.
 */
export function linkText(text: string, target: string): string {
  return text + addressAfter(text, target);
}

/** Returns what `linkText` adds to the text, or ''. A web address without a text, such as that of a logo, is left out. */
export function addressAfter(text: string, target: string): string {
  const address = text.length > maxTextLength ? '' : linkAddress(target);
  if (address === '') return '';
  if (!/\S/.test(text)) return isWebAddress(target) ? '' : address;
  return text.includes(bareAddress(address)) ? '' : ` (${address})`;
}

/** Returns a web address as it is, a mail address or a telephone number, or '' if the target is something else. */
export function linkAddress(target: string): string {
  const [, scheme = '', rest = ''] = /^\s*(https?:\/\/|mailto:|tel:)(\S.*)$/is.exec(target) ?? [];
  const isContact = scheme.endsWith(':');
  const address = isContact ? (rest.split('?')[0] ?? '') : `${scheme}${rest}`;
  const written = address.trim().replace(/\s+/g, '%20');
  return written.length <= maxAddressLength ? written : '';
}

/** Whether the target is a page of a website. */
export function isWebAddress(target: string): boolean {
  return /^\s*https?:/i.test(target);
}

/** Returns the address as people write it: without `https://`, `www.` and the last slash. */
function bareAddress(address: string): string {
  return address.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');
}
