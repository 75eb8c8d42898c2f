import { expect, test } from 'vitest';
import { renderDescription, renderMarkdown, splitAtHeadings } from '../../src/site/markdown.ts';

test('HTML and dangerous links in Markdown do nothing', () => {
  const { html } = renderMarkdown(
    '<script>x</script>\n\n[a](javascript:alert(1)) <b onclick="x">b</b>',
  );
  expect(html.text).not.toMatch(/<script|javascript:|<b/);
});

test('headings have the ids that GitHub gives them, also when a title repeats', () => {
  const { sections } = renderMarkdown(
    '# Page\n\n## `code` and *more*: x\n\n### Über\n\n## Über\n\n#### Deep',
  );
  expect(sections).toEqual([
    { id: 'code-and-more-x', title: 'code and more: x', level: 2 },
    { id: 'über', title: 'Über', level: 3 },
    { id: 'über-1', title: 'Über', level: 2 },
  ]);
});

test('a picture for each mode becomes that of the light mode', () => {
  const markdown =
    '<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="a-dark.png">\n  <img alt="The page" src="a.png">\n</picture>';
  const { html } = renderMarkdown(markdown, undefined, (target) => ({
    path: `/pictures/${target}`,
    width: 2,
    height: 1,
  }));
  expect(html.text).toBe(
    '<p><img loading="lazy" src="/pictures/a.png" width="2" height="1" alt="The page" /></p>',
  );
});

test('links are resolved, or become text', () => {
  const { html } = renderMarkdown('[a](a.md) and [b](b.md)', (target) =>
    target === 'a.md' ? '/docs/a' : null,
  );
  expect(html.text).toBe('<p><a href="/docs/a">a</a> and b</p>');
});

test('a description has paragraphs, code and links, and nothing else', () => {
  const text =
    'Less than `a<b`.\n\nSee [the *page*](https://example.com/x) or [this](javascript:x).';
  expect(renderDescription(text).text).toBe(
    '<p>Less than <code>a&lt;b</code>.</p><p>See <a href="https://example.com/x">the *page*</a> or [this](javascript:x).</p>',
  );
});

test('sections have the text below their heading, and code is no heading', () => {
  const sections = splitAtHeadings(
    '# T\n\nIntro [x](y).\n\n## One `a`\n\n```sh\n## not one\n```\n\n| b |\n|---|\n\n### Two\n\nc',
  );
  expect(sections).toEqual([
    { heading: null, id: null, text: 'Intro x.' },
    { heading: 'One a', id: 'one-a', text: '## not one b' },
    { heading: 'Two', id: 'two', text: 'c' },
  ]);
});

test('a picture has its size, and an unknown one is not loaded', () => {
  const { html } = renderMarkdown(
    '![a](a.png) ![b](https://example.com/b.png)',
    () => null,
    (target) => (target === 'a.png' ? { path: '/docs/a.png', width: 2, height: 1 } : null),
  );
  expect(html.text).toBe(
    '<p><img loading="lazy" src="/docs/a.png" width="2" height="1" alt="a" /> <img alt="b" /></p>',
  );
});
