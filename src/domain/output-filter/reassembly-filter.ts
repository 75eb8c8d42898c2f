import type { OutputSegment } from './cited-link-filter.ts';
import { createLinkFilter } from './link-filter.ts';
import { indexUrls, normalizeUrl } from './urls.ts';

export interface ReassemblyFilter {
  push(segments: readonly OutputSegment[]): string;
  flush(): string;
}

/**
 * Creates a filter that joins the segments into text. If a marker or link was removed, the parts around it could form a
 * new URL. This filter prevents that. URLs that were already shown as links are allowed.
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
  /** Returns a space if a renderer would otherwise read `next` as part of the URL before it. */
  const separator = (next: OutputSegment) => {
    const isAfterUrl = before.isLink && !before.text.startsWith('(');
    const end = isAfterUrl && before.text.endsWith('"') ? '"' : '';
    const extendsUrl = isAfterUrl && urlExtension.test(end + next.text);
    if (isAfterUrl && /^"*$/.test(next.text)) {
      before = { text: before.text + next.text, isLink: true };
    } else if (next.text !== '') before = next;
    return extendsUrl ? ' ' : '';
  };
  const write = (segment: OutputSegment): string => {
    if (segment.isLink) allowUrls(segment.text);
    return textOf(links.push(separator(segment) + segment.text));
  };
  return {
    push: (segments) => segments.flatMap(quotesApart).map(write).join(''),
    flush: () => textOf(links.flush()),
  };
}

/** Matches characters that end a URL in the link filter but do not end it in GitHub's Markdown. */
const urlExtension = /^(?:"[^\s"]|[[\]<>`|，。、；：！？（）「」])/u;

function quotesApart(segment: OutputSegment): OutputSegment[] {
  const [quotes = ''] = /^"+/.exec(segment.text) ?? [];
  const isPlain = segment.isLink || quotes === '' || quotes === segment.text;
  return isPlain
    ? [segment]
    : [{ text: quotes }, { ...segment, text: segment.text.slice(quotes.length) }];
}
