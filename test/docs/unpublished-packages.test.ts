import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// The packages are not published. On npm and PyPI, a stranger could take their names.
const shown = globSync(
  [
    ...[
      '*.md',
      'docs/**/*.md',
      'src/README.md',
      'src/{dashboard,widget,rest,schema}/**/*.{ts,tsx,json}',
    ],
    ...[
      'packages/*/*.md',
      'packages/*/{src,bin}/**/*.{ts,tsx,mjs}',
      'clients/python/**/*.{md,py,toml}',
    ],
    'examples/**/*.{md,mjs,ts,tsx,py}',
  ],
  { exclude: (path) => path.includes('node_modules') },
);

test.each([
  ['npm', /(?:npm (?:install|i|add|exec)|npx|pnpm|yarn|bunx?|deno add)\b[^\n`]*@grounded-chat/],
  ['an argument of npx', /"-p"|"npx"/],
  ['PyPI', /pip3? install (?:-\S+ )*grounded[-_]chat/],
])('no page and no text leads to a name on %s', (_, command) => {
  expect(shown.length).toBeGreaterThan(100);
  expect(shown.filter((path) => command.test(readFileSync(path, 'utf8')))).toEqual([]);
});

test('no page and no program shows another variable for the address and the key', () => {
  const names =
    /GROUNDED_CHAT_API_KEY|(?:process\.env\.|environ\[\\?")(?:API|KEY|API_KEY|BASE_URL)\b/;
  const places = shown.filter((path) => names.test(readFileSync(path, 'utf8')));
  // The old name still works. Only the changelogs and the programs that read it name it.
  const allowed = /CHANGELOG\.md$|grounded-chat-mcp\.mjs$|_access\.py$|clients\/python\/tests/;
  expect(places.filter((path) => !allowed.test(path))).toEqual([]);
});

test('all packages name the same address of the repository, or none does', () => {
  const texts = [
    'package.json',
    ...globSync('packages/*/package.json'),
    'clients/python/pyproject.toml',
  ]
    .map((path) => readFileSync(path, 'utf8'))
    .map(
      (text) => text.match(/https:\/\/(?:github|gitlab|codeberg)\.[a-z]+\/[\w.-]+\/[\w-]+/g) ?? [],
    );
  expect(texts.length).toBeGreaterThan(3);
  expect(new Set(texts.map((addresses) => [...new Set(addresses)].join())).size).toBe(1);
});
