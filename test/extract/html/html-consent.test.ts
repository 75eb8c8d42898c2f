import { expect, test } from 'vitest';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import { readHtml } from '../../../src/extract/html/html.ts';
import { readHtmlPage } from '../../../src/extract/html/html-page.ts';

/** The text of a page as an uploaded file, and as a page of a website. */
async function textsOf(page: string): Promise<string[]> {
  const uploaded = await readHtml(Buffer.from(page), defaultExtractLimits);
  const crawled = await readHtmlPage(Buffer.from(page), defaultExtractLimits);
  return [uploaded.text, crawled.markdown];
}

const content = '<h1>Pier 4</h1><p>Pier 4 has 12 berths for boats, and a crane of 12 tonnes.</p>';

/** Longer than the content of a short page, as the second layer of most dialogs is. */
const purposes = '<p>BANNER: we and our 812 partners use cookies to improve this service.</p>';

test.each([
  'id="onetrust-consent-sdk"',
  'id="CybotCookiebotDialog"',
  'id="usercentrics-root"',
  'id="didomi-host"',
  'class="qc-cmp2-container" id="qc-cmp2-container"',
  'id="klaro" class="klaro"',
  'id="cmplz-cookiebanner-container"',
  'id="BorlabsCookieBox"',
  'id="iubenda-cs-banner"',
  'class="osano-cm-window"',
  'id="truste-consent-track"',
  'class="cc-window cc-banner"',
  'class="cky-consent-container"',
  'id="sp_message_container_812"',
])('the dialog of a consent manager is no content, also on a short page: %s', async (names) => {
  const banner = `<div ${names}><div class="otFlat">${purposes.repeat(9)}</div></div>`;
  for (const text of await textsOf(`${banner}${content}`)) {
    expect(text).toContain('12 berths');
    expect(text).not.toContain('BANNER');
  }
});

test.each([
  `<div class="cookie-banner">BANNER</div>`,
  `<div id="gdpr-cookie-notice">BANNER</div>`,
  `<div class="site-cookie-consent">BANNER</div>`,
  `<cookie-consent-banner>BANNER</cookie-consent-banner>`,
  `<section aria-label="cookies on this site"><p>BANNER</p><form><button>Accept analytics cookies</button></form></section>`,
  `<div role="region" aria-labelledby="cookie_title"><p>BANNER</p><a href="#">Alle akzeptieren</a></div>`,
  `<div role="alertdialog" aria-label="Consentement"><p>BANNER</p><button><span>Tout accepter</span></button></div>`,
  `<div id="cookies"><p>BANNER</p><input type="submit" value="Got it"></div>`,
])('%s is no content', async (banner) => {
  for (const text of await textsOf(`${banner}${content}`)) {
    expect(text).toContain('12 berths');
    expect(text).not.toContain('BANNER');
  }
});

test.each([
  [
    'a recipe',
    `<section class="cookies-recipe" aria-label="Cookies"><p>Bake 12 minutes.</p><button>Print</button></section>`,
  ],
  ['bars of a bakery', `<ul class="cookie-bars"><li>Bake 12 minutes.</li></ul>`],
  [
    'a policy',
    `<section id="cookies"><h2>Cookies</h2><p>Bake 12 minutes.</p><a href="/consent">Accept or refuse</a></section>`,
  ],
  ['a form of consent', `<div class="consent-to-surgery"><p>Bake 12 minutes.</p></div>`],
  ['the list of a consent manager', `<div id="ot-sdk-cookie-policy"><p>Bake 12 minutes.</p></div>`],
  ['a list of cookies', `<div class="CookieDeclaration"><p>Bake 12 minutes.</p></div>`],
  [
    'a policy by a generator',
    `<div class="cmplz-document" id="cmplz-document"><p>Bake 12 minutes.</p></div>`,
  ],
])('%s about cookies stays', async (_name, part) => {
  for (const text of await textsOf(`${content}${part}`)) expect(text).toContain('12 minutes');
});

test('a page stays whole whose body has the class of a consent manager', async () => {
  const page = `<html class="klaro"><body class="cc-window cookie-banner"><main id="klaro">${content}</main></body></html>`;
  for (const text of await textsOf(page)) expect(text).toContain('12 berths');
});

test('a page whose content has the name of a consent dialog stays', async () => {
  const page = `<div class="cookie-notice"><h1>Cookie notice</h1><p>We store the language.</p></div>`;
  for (const text of await textsOf(page)) expect(text).toContain('store the language');
});

test('20,000 labelled elements without a choice are read in linear time', async () => {
  const page = `${content}${'<section aria-label="cookies">'.repeat(200)}${'<p title="cookies">a'.repeat(2e4)}`;
  const [text] = await textsOf(page);
  expect(text).toContain('12 berths');
});
