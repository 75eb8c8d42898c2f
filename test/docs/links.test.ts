import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { documentationPages } from '../support/programs/documentation-pages.ts';

test.each(documentationPages)(
  'every link of %s leads to a file and a heading that exist',
  (path) => {
    const targets = linkTargets(withoutCode(readFileSync(path, 'utf8')));
    expect(targets.filter((target) => !exists(target, path))).toEqual([]);
  },
);

test('every page is in the index', () => {
  const index = readFileSync('docs/README.md', 'utf8');
  const linked = linkTargets(index).map((target) => join('docs', target.replace(/#.*$/, '')));
  const decisions = documentationPages.filter((path) => path.startsWith('docs/decisions/'));
  const decisionIndex = linkTargets(readFileSync('docs/decisions/README.md', 'utf8'));
  for (const path of documentationPages) {
    if (['README.md', 'docs/README.md', ...decisions].includes(path)) continue;
    expect(linked).toContain(path);
  }
  for (const path of decisions) {
    if (path === 'docs/decisions/README.md') continue;
    expect(decisionIndex).toContain(path.replace('docs/decisions/', ''));
  }
});

test('every path in the map of the code exists', () => {
  const text = readFileSync('src/README.md', 'utf8');
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  const paths = spans.filter((span) => /^(?:\.\.\/)?[a-z-]+\/[\w./-]+$/.test(span));
  expect(paths.length).toBeGreaterThan(50);
  const candidates = (path: string) => [`src/${path}`, `src/${path}.ts`];
  expect(paths.filter((path) => !candidates(path).some((file) => existsSync(file)))).toEqual([]);
});

test('every test that a decision names exists', () => {
  const pages = documentationPages.filter((path) => path.startsWith('docs/decisions/'));
  const names = pages.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/`([a-z]+\/[a-z-]+)`/g)].map(([, name = '']) => name),
  );
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => !existsSync(`test/${name}.test.ts`))).toEqual([]);
});

function linkTargets(text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)];
  return links
    .map(({ 1: markdown, 2: html }) => markdown ?? html ?? '')
    .filter((target) => !/^[a-z]+:/.test(target));
}

function exists(target: string, from: string): boolean {
  const [file = '', heading] = target.split('#');
  const path = file === '' ? from : join(dirname(from), file);
  if (!existsSync(path)) return false;
  if (heading === undefined || statSync(path).isDirectory()) return heading === undefined;
  return headings(path).includes(heading);
}

/** Returns the anchors that GitHub generates for headings. */
function headings(path: string): string[] {
  const lines = withoutBlocks(readFileSync(path, 'utf8')).matchAll(/^#+ (.*)$/gm);
  return [...lines].map(({ 1: text = '' }) =>
    text
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function withoutCode(text: string): string {
  return withoutBlocks(text).replace(/(`+)[\s\S]*?\1/g, '');
}

function withoutBlocks(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '');
}
