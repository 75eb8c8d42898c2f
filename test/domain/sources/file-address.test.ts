import { expect, test } from 'vitest';
import { createFileAddress } from '../../../src/domain/sources/git/file-address.ts';

test.each([
  ['https://github.com/a/b', 'https://github.com/a/b/blob/main/x%20y/%C3%BC%23.md'],
  ['https://github.com/a/b.git', 'https://github.com/a/b/blob/main/x%20y/%C3%BC%23.md'],
  [
    'https://gitlab.example.com/a/b/c',
    'https://gitlab.example.com/a/b/c/-/blob/main/x%20y/%C3%BC%23.md',
  ],
  ['https://codeberg.org/a/b.git', 'https://codeberg.org/a/b/src/branch/main/x%20y/%C3%BC%23.md'],
  ['https://bitbucket.org/a/b', 'https://bitbucket.org/a/b/src/main/x%20y/%C3%BC%23.md'],
  ['https://git.example.com/a/b.git', null],
  ['https://evil.example/github.com/b', null],
])('the address of a file of %s', (repository, address) => {
  expect(createFileAddress(repository, 'main')('x y/ü#.md')).toBe(address);
});

test('branches with a slash, and addresses that are too long', () => {
  const addressOf = createFileAddress('https://github.com/a/b', 'release/2');
  expect(addressOf('c.md')).toBe('https://github.com/a/b/blob/release/2/c.md');
  expect(addressOf(`${'ü'.repeat(400)}.md`)).toBeNull();
});
