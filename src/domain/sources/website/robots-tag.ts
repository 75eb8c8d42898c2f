import { robotsProduct } from './robots.ts';

/** Directives in the header `X-Robots-Tag` of a response. */
export interface RobotsTag {
  readonly isNoIndex: boolean;
  readonly isNoFollow: boolean;
}

const maxLines = 20;
const maxLineLength = 1_000;
/** Matches directives that have a value. Without this, they would look like the name of a robot. */
const directivesWithValue = /^(?:unavailable_after|max-[a-z-]+)$/;

/**
 * Reads the header. If it was sent several times, `header` contains one line for each. A directive after the name of a
 * robot, as in `googlebot: noindex, nofollow`, applies only to that robot. See
 * https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag
 */
export function readRobotsTag(header: string | undefined, now = new Date()): RobotsTag {
  const directives = (header ?? '')
    .split('\n')
    .slice(0, maxLines)
    .flatMap((line) => ownDirectives(line.slice(0, maxLineLength).toLowerCase()));
  const has = (name: string) => directives.includes(name) || directives.includes('none');
  return {
    isNoIndex: has('noindex') || directives.some((directive) => isPast(directive, now)),
    isNoFollow: has('nofollow'),
  };
}

function ownDirectives(line: string): string[] {
  let isOwn = true;
  return line.split(',').flatMap((part) => {
    const [, name = '', rest = ''] = /^\s*([\w-]+)\s*:(.*)$/s.exec(part) ?? [];
    if (name === '' || directivesWithValue.test(name)) return isOwn ? [part.trim()] : [];
    isOwn = name === robotsProduct;
    return isOwn ? [rest.trim()] : [];
  });
}

function isPast(directive: string, now: Date): boolean {
  const date = /^unavailable_after\s*:(.*)$/s.exec(directive)?.[1];
  return date !== undefined && Date.parse(date) < now.getTime();
}
