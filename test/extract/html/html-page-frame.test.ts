import { describe, expect, test } from 'vitest';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import { readHtml } from '../../../src/extract/html/html.ts';
import { readHtmlPage } from '../../../src/extract/html/html-page.ts';

const prose = Array.from(
  { length: 4 },
  (_, n) =>
    `<p>Shoes of kind ${n} can be returned within 45 days, worn or not, and are repaired.</p>`,
).join('');

/** The text of a page as an uploaded file, and as a page of a website. */
async function textsOf(page: string): Promise<string[]> {
  const uploaded = await readHtml(Buffer.from(page), defaultExtractLimits);
  const crawled = await readHtmlPage(Buffer.from(page), defaultExtractLimits);
  return [uploaded.text, crawled.markdown];
}

describe.each([
  ['an article', (frame: string) => `<main><h1>Returns</h1>${frame}${prose}</main>`],
  ['a page without marks', (frame: string) => `<h1>Returns</h1>${prose}<div>${frame}</div>`],
])('in %s, uploaded and crawled,', (_what, page) => {
  test.each([
    '<a class="skipToContent_x1" href="#m">FRAME</a>',
    '<a class="skip-navigation" href="#m">FRAME</a>',
    '<a class="mw-jump-link" href="#m">FRAME</a>',
    '<ol id="breadcrumbs"><li>FRAME</li></ol>',
    '<div id="toc" class="toc"><h2>FRAME</h2></div>',
    '<div class="tableOfContents"><ul><li>FRAME</li></ul></div>',
    '<span class="mw-editsection">[<a>FRAME</a>]</span>',
    '<a class="theme-edit-this-page">FRAME</a>',
    '<div class="article-votes">FRAME? <small>9 of 12</small></div>',
    '<section class="article-relatives"><h2>FRAME</h2></section>',
    '<div class="related-articles"><h2>FRAME</h2></div>',
    '<div class="page-metadata">FRAME by Olek</div>',
    '<div class="printfooter">FRAME from "https://wiki.example"</div>',
    '<div id="footer" role="contentinfo">FRAME</div>',
    '<section class="comments"><h2>FRAME</h2><p>Please sign in to comment.</p></section>',
  ])('%s is left out', async (frame) => {
    for (const text of await textsOf(page(frame))) {
      expect(text).toContain('within 45 days');
      expect(text).not.toContain('FRAME');
    }
  });

  test.each([
    [
      'comments that people wrote',
      `<section class="comments"><p>${'The laces of my pair were too short, so I got others. '.repeat(6)}</p></section>`,
      'laces of my pair',
    ],
    [
      'a class that only begins like one of a frame',
      '<p class="tocsin">The bell rings.</p>',
      'bell',
    ],
    ['a section on voting', '<section id="how-to-vote"><p>Vote by letter.</p></section>', 'letter'],
    ['editors', '<p class="editors">Edited by Jo Brand.</p>', 'Jo Brand'],
  ])('%s stays', async (_name, content, expected) => {
    for (const text of await textsOf(page(content))) expect(text).toContain(expected);
  });
});

test('a page whose content has the name of a frame stays whole', async () => {
  const page = `<div class="related-questions">${prose}</div>`;
  for (const text of await textsOf(page)) expect(text).toContain('kind 3 can be returned');
});

test('an uploaded page is read without what surrounds its marked content', async () => {
  const page = `<header>Trailfoot</header><main><header><h1>Returns</h1></header>${prose}
    <footer>Jo</footer></main><footer>Imprint</footer>`;
  const { text } = await readHtml(Buffer.from(page), defaultExtractLimits);
  expect(text).toMatch(/^Returns\n/);
  expect(text).not.toMatch(/Trailfoot|Imprint/);
});

test('an uploaded page whose marked content is only a small part is read whole', async () => {
  const page = `<main><p>Welcome.</p></main>${prose}`;
  const { text } = await readHtml(Buffer.from(page), defaultExtractLimits);
  expect(text).toContain('within 45 days');
});
