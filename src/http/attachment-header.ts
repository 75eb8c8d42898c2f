/**
 * Returns a `Content-Disposition` header that makes browsers store the response under this name (RFC 6266). Old clients
 * read `filename`, in which every character outside plain ASCII is an underscore.
 */
export function attachmentHeader(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9 ._()-]/gu, '_');
  // `encodeURIComponent` leaves these characters, which RFC 8187 does not allow.
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
