import { expect, test } from 'vitest';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import { readHtml } from '../../../src/extract/html/html.ts';
import { readHtmlPage } from '../../../src/extract/html/html-page.ts';
import { describeBlocks } from '../../support/programs/describe-blocks.ts';

async function html(source: string): Promise<string[]> {
  return describeBlocks(await readHtml(Buffer.from(source), defaultExtractLimits));
}

test.each([
  ['hidden attribute', 'hidden'],
  ['display', 'style="height: 0; display: none"'],
  ['aria-hidden', 'aria-hidden="true"'],
])('an answer that a button shows is read (%s)', async (_, hiding) => {
  const control = '<h3><button aria-expanded="false" aria-controls="a">How loud?</button></h3>';
  expect(await html(`${control}<div id="a" ${hiding}><p>96 dB.</p></div>`)).toEqual([
    'heading3: How loud?',
    'paragraph: 96 dB.',
  ]);
});

test.each([
  ['a button without a heading', '<button aria-expanded="false" aria-controls="a">How?</button>'],
  ['a link of Bootstrap', '<a data-toggle="collapse" href="#a">How?</a>'],
  [
    'a button of Bootstrap',
    '<h4><button data-bs-toggle="collapse" data-bs-target="#a">How?</button></h4>',
  ],
])('%s shows its panel', async (_, control) => {
  const blocks = await html(`${control}<div id="a" hidden><p>So it is.</p></div>`);
  expect(blocks.map((block) => block.replace(/^.*: /, ''))).toEqual(['How?', 'So it is.']);
});

test('each panel of tabs is read after the name of its tab', async () => {
  const tabs =
    '<div role="tablist"><button role="tab" aria-controls="a">macOS</button><button role="tab" id="b">Linux</button></div>';
  const panels =
    '<div id="a" role="tabpanel"><p>brew</p></div><div role="tabpanel" aria-labelledby="b" hidden><p>apt</p></div>';
  expect(await html(tabs + panels)).toEqual([
    'paragraph: macOS',
    'paragraph: brew',
    'paragraph: Linux',
    'paragraph: apt',
  ]);
});

test('a hidden answer of a list of questions is read', async () => {
  const list = '<dl><dt>Is it waterproof?</dt><dd style="display:none">Class IP44.</dd></dl>';
  expect(await html(list)).toEqual(['paragraph: Is it waterproof?:', 'list-item: - Class IP44.']);
});

test('panels in panels are read, also before their controls', async () => {
  const inner =
    '<div id="b" hidden><p>Inner.</p></div><h4><button aria-controls="b">More?</button></h4>';
  const outer = `<h3><button aria-controls="a">First?</button></h3><div id="a" hidden>${inner}</div>`;
  expect(await html(outer)).toEqual(['heading3: First?', 'paragraph: Inner.', 'heading4: More?']);
});

test.each([
  ['nothing', ''],
  ['a hidden button', '<div hidden><button aria-controls="a">Show</button></div>'],
  ['a button for a menu', '<button aria-haspopup="true" aria-controls="a">Menu</button>'],
  ['a button for a dialog', '<button data-bs-toggle="modal" data-bs-target="#a">Open</button>'],
  ['a button of the header', '<header><button aria-controls="a">Menu</button></header>'],
  ['navigation', '<nav><button aria-controls="a">Menu</button></nav>'],
])('hidden text that %s shows stays out', async (_, control) => {
  expect(await html(`<p>Yes.</p>${control}<p id="a" hidden>No.</p>`)).toEqual(['paragraph: Yes.']);
});

test('buttons that open nothing stay out, also in a heading', async () => {
  const page =
    '<h2>Hours <button>Copy</button></h2><p>Nine.</p><button aria-controls="x">›</button>';
  expect(await html(page)).toEqual(['heading2: Hours', 'paragraph: Nine.']);
});

test('only the first button of a heading is its text', async () => {
  const heading = '<h2><button></button><button>Hours?</button><button>Copy</button></h2>';
  expect(await html(`${heading}<p>Nine.</p>`)).toEqual(['heading2: Hours?', 'paragraph: Nine.']);
});

test('a text that is too long for the name of a tab is not repeated in each panel', async () => {
  const panels = '<p role="tabpanel" aria-labelledby="t">x</p>'.repeat(100);
  const blocks = await html(`<div role="tab" id="t">${'word '.repeat(100)}</div>${panels}`);
  expect(blocks).toHaveLength(101);
});

test('a heading with very many buttons is read in linear time', async () => {
  const heading = `<h2>${'<button></button>'.repeat(40_000)}</h2>`;
  expect(await html(`${heading}<p>Nine.</p>`)).toEqual(['paragraph: Nine.']);
}, 30_000);

test('a crawled page shows its panels, also without marked content', async () => {
  const question = (id: number) =>
    `<h3><button aria-expanded="false" aria-controls="a${id}">Question ${id}, is it so?</button></h3>` +
    `<div id="a${id}" hidden><p>Answer ${id} says, in a long sentence with commas, that it is so.</p></div>`;
  const page = `<body><div class="faq">${[1, 2, 3, 4].map(question).join('')}</div></body>`;
  const { markdown } = await readHtmlPage(Buffer.from(page), defaultExtractLimits);
  for (const id of [1, 2, 3, 4]) {
    expect(markdown).toContain(`### Question ${id}, is it so?`);
    expect(markdown).toContain(`Answer ${id} says`);
  }
});

test.each([
  [
    'in details',
    '<details><summary>Refunds</summary><div style="display:none"><p>SHOWN</p></div></details>',
  ],
  ['in nested details', '<details><div><div hidden><p>SHOWN</p></div></div></details>'],
  [
    'of an expander',
    '<div class="expand-content" style="display: none; opacity: 0"><p>SHOWN</p></div>',
  ],
  ['of an accordion', '<div id="accordion-1" hidden><p>SHOWN</p></div>'],
  ['of a spoiler', '<div class="wiki_spoiler" aria-hidden="true">SHOWN</div>'],
  ['of a list of questions', '<div class="faqAnswer" style="display:none">SHOWN</div>'],
])('hidden text %s can be opened, so it is read', async (_, page) => {
  expect((await html(`<p>Yes.</p>${page}`)).join(' ')).toContain('SHOWN');
});

test.each([
  '<div class="collapse navbar-collapse" hidden>HIDDEN</div>',
  '<div class="modal toggle" style="display:none">HIDDEN</div>',
  '<div class="cookie-banner-toggle" hidden>HIDDEN</div>',
  '<div class="price" hidden>HIDDEN</div>',
  '<div class="expanded-by-nobody" hidden>HIDDEN</div>',
])('hidden text that is no panel stays out: %s', async (page) => {
  expect(await html(`<p>Yes.</p>${page}`)).toEqual(['paragraph: Yes.']);
});

test('tabs and panels without ids belong together by their order', async () => {
  const tabs = '<ul role="tablist"><li role="tab">Node</li><li role="tab">Python</li></ul>';
  const panel = (text: string, hidden = '') =>
    `<div role="tabpanel" ${hidden}><p>${text}</p></div>`;
  const page = `<div>${tabs}<div>${panel('npm install x')}${panel('pip install x', 'hidden')}</div></div>`;
  const blocks = (await html(page)).join(' | ');
  expect(blocks).toMatch(
    /Node \| paragraph: npm install x \| paragraph: Python \| paragraph: pip install x/,
  );
});
