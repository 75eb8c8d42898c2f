import type { OutputSegment } from './cited-link-filter.ts';
import { createLinkFilter } from './link-filter.ts';
import { indexUrls, normalizeUrl } from './urls.ts';

export interface ReassemblyFilter {
  push(segments: readonly OutputSegment[]): string;
  flush(): string;
}

/**
 * Creates a filter that joins the segments into text. Removing a marker, tag or link can join the parts around it into a
 * new URL or tag; this filter prevents that. URLs that were already shown as links are allowed.
 */
export function createReassemblyFilter(): ReassemblyFilter {
  const allowedUrls = new Map<string, readonly number[]>();
  const links = createLinkFilter(allowedUrls);
  const allowUrls = (text: string) => {
    for (const address of [normalizeUrl(text), ...indexUrls([`]${text}`]).keys()]) {
      allowedUrls.set(address, []);
    }
  };
  const textOf = (segments: readonly OutputSegment[]) => segments.map(({ text }) => text).join('');
  let before: OutputSegment = { text: '' };
  let isGap = false;
  /** Returns a space if `next` would otherwise be parsed together with the segment before it. */
  const separator = (next: OutputSegment) => {
    const isTag = isGap && /<\/?$/.test(before.text) && /^[a-z/!?]/i.test(next.text);
    // GitHub's Markdown treats a marker after a URL, and the text after the marker, as part of the URL.
    const extendsUrl = before.isLink && !before.text.startsWith('(') && next.text.startsWith('[');
    isGap = next.text === '';
    if (!isGap) before = next;
    return isTag || extendsUrl ? ' ' : '';
  };
  return {
    push: (segments) =>
      segments
        .map((segment) => {
          if (segment.isLink) allowUrls(segment.text);
          return textOf(links.push(separator(segment) + segment.text));
        })
        .join(''),
    flush: () => textOf(links.flush()),
  };
}
