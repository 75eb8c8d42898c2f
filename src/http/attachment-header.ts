/**
 * Returns a `Content-Disposition` header that makes browsers save the response under this name (RFC 6266). The
 * parameter `filename` is for old clients: characters outside plain ASCII are replaced by underscores there.
 */
export function attachmentHeader(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9 ._()-]/gu, '_');
  // `encodeURIComponent` does not encode these characters, but RFC 8187 does not allow them.
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
