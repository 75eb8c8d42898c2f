import { describe, expect, test } from 'vitest';
import { parseRobots } from '../../../src/domain/sources/website/robots.ts';
import { readRobotsTag } from '../../../src/domain/sources/website/robots-tag.ts';

const allows = (rule: string, path: string) =>
  parseRobots(`\ufeffUser-agent: *\r\n${rule}\r\n`).isAllowed(`https://example.com${path}`);

describe('a rule of robots.txt', () => {
  test.each([
    ['/privé/', '/privé/x'],
    ['/priv%C3%A9/', '/privé/x'],
    ['/caf%c3%a9/', '/café/x'],
    ['/%7Estaff/', '/~staff/x'],
    ['/~staff/', '/%7estaff/x'],
    ['/a%20b/', '/a b/x'],
    ['/a%2Fb', '/a%2fb'],
    ['/*.bak$', '/é.bak'],
    ['/?q={', '/?q=%7B1'],
  ])('Disallow: %s forbids %s, however it is encoded', (rule, path) => {
    expect(allows(`Disallow: ${rule}`, path)).toBe(false);
  });

  test.each([
    ['/a%2Fb', '/a/b'],
    ['/%zz', '/zz'],
    ['/privé/', '/prive/x'],
  ])('Disallow: %s allows %s', (rule, path) => {
    expect(allows(`Disallow: ${rule}`, path)).toBe(true);
  });
});

describe('X-Robots-Tag', () => {
  const now = new Date('2026-11-26');
  test.each([
    [undefined, false, false],
    ['noindex', true, false],
    ['NoFollow', false, true],
    ['none', true, true],
    ['noarchive, noindex', true, false],
    ['googlebot: noindex, nofollow', false, false],
    ['GroundedChatBot: noindex, nofollow', true, true],
    ['googlebot: none\nnofollow', false, true],
    ['googlebot: noindex, groundedchatbot: nofollow', false, true],
    ['max-snippet: 20, noindex', true, false],
    ['unavailable_after: 25 Jun 2090 15:00:00 GMT', false, false],
    ['unavailable_after: 25 Jun 2020 15:00:00 GMT', true, false],
    ['unavailable_after: soon', false, false],
  ])('%j', (header, isNoIndex, isNoFollow) => {
    expect(readRobotsTag(header, now)).toEqual({ isNoIndex, isNoFollow });
  });
});
