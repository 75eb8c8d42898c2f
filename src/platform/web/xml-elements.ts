/**
 * Returns the contents of all elements with this name that have no attributes. Searches only forward, so it takes
 * linear time.
 */
export function xmlElements(
  xml: string,
  name: string,
  limits: { readonly maxElements: number; readonly maxLength: number },
): string[] {
  const [start, end] = [`<${name}>`, `</${name}>`];
  const found: string[] = [];
  for (let at = xml.indexOf(start); at >= 0 && found.length < limits.maxElements; ) {
    const close = xml.indexOf(end, at);
    if (close < 0) break;
    found.push(xml.slice(at + start.length, Math.min(close, at + limits.maxLength)).trim());
    at = xml.indexOf(start, close);
  }
  return found;
}

/** Returns the text inside an element's content. */
export function xmlText(content: string): string {
  return content
    .replace(/^<!\[CDATA\[|\]\]>$/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi, (text, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : text;
    })
    .replaceAll('&amp;', '&');
}
