import { expect, test } from 'vitest';
import { requireValidGitConfig } from '../../../src/domain/sources/git/git-config.ts';

test('the address of a repository is stored with scheme and host in lower case', () => {
  const { url } = requireValidGitConfig({ url: 'HTTPS://Git.Example.com/Team/Docs.git' }, {});
  expect(url).toBe('https://git.example.com/Team/Docs.git');
});

test.each(['https://user@example.com/x', 'ftp://example.com/x', 'http://example.com/x', ''])(
  'the address %j is refused',
  (url) => {
    expect(() => requireValidGitConfig({ url }, {})).toThrow('config.url');
  },
);
