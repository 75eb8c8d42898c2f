import { wildcardMatcher } from '../../../text/match-wildcards.ts';

/** The rules of a robots.txt that apply to this service (RFC 9309). */
export interface Robots {
  readonly isAllowed: (url: string) => boolean;
  readonly crawlDelaySeconds: number | null;
  readonly sitemaps: readonly string[];
}

export const robotsBytes = 512 * 1024;
/** Name of this service in robots.txt, in lower case. */
export const robotsProduct = 'groundedchatbot';
const maxRules = 5_000;
const maxSitemaps = 20;
const maxCrawlDelaySeconds = 60;

export const allowsAll: Robots = { isAllowed: () => true, crawlDelaySeconds: null, sitemaps: [] };

interface Group {
  readonly agents: string[];
  readonly rules: Rule[];
  crawlDelaySeconds: number | null;
  isComplete: boolean;
}

interface Rule {
  readonly isAllow: boolean;
  readonly path: string;
  readonly matches: (path: string) => boolean;
}

/** Reads a robots.txt. Uses the groups that name this service. If there are none, uses the groups for `*`. */
export function parseRobots(text: string): Robots {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  for (const line of text.replace(/^\ufeff/, '').split(/[\r\n]+/)) {
    const [, key = '', value = ''] =
      /^[^\S\n]*([a-z-]{1,20})[^\S\n]*:([^#]*)/i.exec(line.slice(0, 2_200)) ?? [];
    addLine(groups, sitemaps, key.toLowerCase(), value.trim());
  }
  const own = groups.filter(({ agents }) => agents.includes(robotsProduct));
  const chosen = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'));
  const rules = chosen.flatMap((group) => group.rules).slice(0, maxRules);
  const delays = chosen.flatMap((group) => group.crawlDelaySeconds ?? []);
  return {
    isAllowed: (url) => isAllowed(rules, url),
    crawlDelaySeconds:
      delays.length > 0 ? Math.min(maxCrawlDelaySeconds, Math.max(...delays)) : null,
    sitemaps,
  };
}

function addLine(groups: Group[], sitemaps: string[], key: string, value: string): void {
  if (key === 'sitemap') {
    if (sitemaps.length < maxSitemaps) sitemaps.push(value);
    return;
  }
  let group = groups.at(-1);
  if (key === 'user-agent') {
    if (group === undefined || group.isComplete) {
      group = { agents: [], rules: [], crawlDelaySeconds: null, isComplete: false };
      groups.push(group);
    }
    group.agents.push((value.split('/')[0] ?? '').toLowerCase());
    return;
  }
  if (group === undefined) return;
  if (key === 'allow' || key === 'disallow') {
    group.isComplete = true;
    // An empty rule has no effect.
    if (value !== '') group.rules.push(ruleOf(key === 'allow', value));
  } else if (key === 'crawl-delay') {
    group.isComplete = true;
    const seconds = Number(value);
    if (seconds >= 0) group.crawlDelaySeconds = seconds;
  }
}

/**
 * Returns whether the rules allow the address. The longest matching rule decides. If two matching rules are equally
 * long, the rule that allows the address decides.
 */
function isAllowed(rules: readonly Rule[], url: string): boolean {
  const { pathname, search } = new URL(url);
  const path = normalizePath(`${pathname}${search}`);
  let best: Rule | null = null;
  for (const rule of rules) {
    const length = best?.path.length ?? -1;
    if (rule.path.length < length || (rule.path.length === length && !rule.isAllow)) continue;
    if (rule.matches(path)) best = rule;
  }
  return best?.isAllow ?? true;
}

/**
 * Returns the path in the normal form in which RFC 9309, 2.2.2 compares paths: only reserved characters are
 * percent-encoded.
 */
function normalizePath(path: string): string {
  const decoded = path.replace(/%([\da-f]{2})/gi, (encoded, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[\w.~-]/.test(character) ? character : encoded.toUpperCase();
  });
  return decoded.toWellFormed().replace(/[^\x21-\x7e]|["<>`{}|\\^]/gu, encodeURIComponent);
}

function ruleOf(isAllow: boolean, value: string): Rule {
  const path = normalizePath(value);
  const pattern = path.endsWith('$') ? path.slice(0, -1) : `${path}*`;
  return { isAllow, path, matches: wildcardMatcher(pattern) };
}
