import { expect, test } from 'vitest';
import { cleanText } from '../../../src/extract/clean-text.ts';
import { decodeText } from '../../../src/extract/encoding/decode-text.ts';

const english = 'Check-out is until 11:00. The café is open, the naïve price is 5 €.';

test('UTF-8 is read with and without a byte order mark, and the mark is removed', async () => {
  expect(await decodeText(Buffer.from(english))).toBe(english);
  expect(await decodeText(Buffer.from(`\ufeff${english}`))).toBe(english);
});

test('UTF-8 with a damaged byte is still read as UTF-8', async () => {
  const bytes = Buffer.from(
    'Größe, Übergröße, Müller, Straße, Köln, Füße, Häuser, öffnen, süß, schön, für, grün, über, können, müssen, dürfen, hören, Tür '.repeat(
      3,
    ),
  );
  bytes[10] = 0xff;
  expect(await decodeText(bytes)).toContain('Müller');
});

test('UTF-16 and UTF-32 are read in both byte orders, with and without a mark', async () => {
  const utf16 = Buffer.from(english, 'utf16le');
  const utf32 = Buffer.from(Uint32Array.from(english, (c) => c.codePointAt(0) ?? 0).buffer);
  const swapped16 = Buffer.from(utf16).swap16();
  const swapped32 = Buffer.from(utf32).swap32();
  expect(await decodeText(utf16)).toBe(english);
  expect(await decodeText(swapped16)).toBe(english);
  expect(await decodeText(utf32)).toBe(english);
  expect(await decodeText(swapped32)).toBe(english);
  expect(await decodeText(Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]))).toBe(english);
  expect(await decodeText(Buffer.concat([Buffer.from([0xfe, 0xff]), swapped16]))).toBe(english);
});

test.each([
  ['two letters', 'Hi'],
  ['a short line', 'Fee: 5 €\n'],
  ['a table with few letters', 'Größe;Preis\nS;10 €\nM;12 €\n'],
  ['Russian with numbers', 'Завтрак с 7:00 до 10:00, цена 12 €.\r\n'.repeat(4)],
  ['Greek', 'Το πρωινό σερβίρεται από τις 7:00 έως τις 10:00.\r\n'.repeat(4)],
  ['Chinese with line ends', '早餐从7点到10点供应。\r\n退房时间是 11 点。\r\n'.repeat(6)],
  ['Arabic', 'يقدم الإفطار من الساعة السابعة حتى العاشرة صباحا في المطعم.\r\n'.repeat(4)],
])('UTF-16 without a mark is read in both byte orders: %s', async (_, text) => {
  const bytes = Buffer.from(text, 'utf16le');
  expect(await decodeText(bytes)).toBe(text);
  expect(await decodeText(Buffer.from(bytes).swap16())).toBe(text);
});

test.each([
  [
    'random bytes',
    Buffer.from(Array.from({ length: 4_000 }, (_, at) => (at * at * 31 + at * 7) % 256)),
  ],
  ['zeros', Buffer.alloc(2_000)],
  [
    'numbers of 16 bits',
    Buffer.from(Uint16Array.from({ length: 2_000 }, (_, at) => at % 700).buffer),
  ],
  [
    'numbers of 32 bits',
    Buffer.from(Uint32Array.from({ length: 2_000 }, (_, at) => at * 3).buffer),
  ],
  [
    'samples of a sound',
    Buffer.from(
      Int16Array.from({ length: 2_000 }, (_, at) => Math.round(Math.sin(at / 9) * 120)).buffer,
    ),
  ],
  [
    'UTF-16 of an odd length with control characters',
    Buffer.concat([Buffer.from('\u0001\u0002\u0003ab'.repeat(90), 'utf16le'), Buffer.of(7)]),
  ],
])('%s are not text', async (_, bytes) => {
  expect(await decodeText(bytes)).toBeNull();
});

/** Base64 text that another program encoded, so that the test does not depend on the decoder under test. */
const samples: Readonly<Record<string, readonly [bytes: string, text: string]>> = {
  'windows-1252': [
    'RGFzIEZy/GhzdPxjayBm/HIgR+RzdGUga29zdGV0IDEyIIAgdW5kIHdpcmQgdm9uIHNpZWJlbiBiaXMgemVobiBVaHIgaW0gQ2Fm6SBzZXJ2aWVydC4=',
    'Das Frühstück für Gäste kostet 12 € und wird von sieben bis zehn Uhr im Café serviert.',
  ],
  'windows-1250': [
    'U27tZGFu7CBzZSBwb2ThduEgb2Qgc2VkbWkgZG8gZGVzZXRpIGhvZGluLCB2Zehl+GUgYZ4gZG8gZHZhYWR2YWNldGkgaG9kaW4uIFD47WplemQgamUgbW+ebv0gcG8gdPhldO0gaG9kaW7sLg==',
    'Snídaně se podává od sedmi do deseti hodin, večeře až do dvaadvaceti hodin. Příjezd je možný po třetí hodině.',
  ],
  'windows-1251': [
    'x+Di8vDg6iDv7uTg/vIg8SDx5ezoIOTuIOTl8f/y6CDz8vDgLiDN7uzl8OAg8+Ho8OD+8vH/IOXm5eTt5eLt7i4=',
    'Завтрак подают с семи до десяти утра. Номера убираются ежедневно.',
  ],
  'koi8-r': [
    '+sHX1NLByyDQz8TBwNQg0yDTxc3JIMTPIMTF09HUySDV1NLBLiDuz83F0sEg1cLJ0sHA1NPRIMXWxcTOxdfOzy4=',
    'Завтрак подают с семи до десяти утра. Номера убираются ежедневно.',
  ],
  'windows-1253': [
    '1O8g8PH56e38IPPl8eLf8eX04ekg4fD8IPTp8iDl8PTcIN358iD06fIg5N3q4SD07yDw8fnfLg==',
    'Το πρωινό σερβίρεται από τις επτά έως τις δέκα το πρωί.',
  ],
  'windows-1256': [
    '7d7P4yDH4cXd2MfRIOPkIMfh08faySDH4dPHyNrJIM3K7CDH4drH1NHJINXIx83HIN3tIMfh49ja4y4=',
    'يقدم الإفطار من الساعة السابعة حتى العاشرة صباحا في المطعم.',
  ],
  shift_jis: [
    'kqmQSILNjrWOnoKpguePXI6egtyCxZLxi5+Cs4LqgtyCt4FCg2CDRoNig06DQYNFg2eCzY9ciOqOnoLFgreBQg==',
    '朝食は七時から十時まで提供されます。チェックアウトは十一時です。',
  ],
  'euc-jp': [
    'xKu/qaTPvLe7/qSrpOm9vbv+pN6kx8TztqGktaTspN6kuaGjpcGlp6XDpa+loqWmpcikz729sOy7/qTHpLmhow==',
    '朝食は七時から十時まで提供されます。チェックアウトは十一時です。',
  ],
  'euc-kr': [
    'vsbEpyC9xLvntMIgwM+w9iC9w7rOxc0gv60gvcOx7sH2IMGmsPi1y7TPtNkuIMO8xam+xr/0wLogv63H0SC9w8DUtM+02S4=',
    '아침 식사는 일곱 시부터 열 시까지 제공됩니다. 체크아웃은 열한 시입니다.',
  ],
  gb18030: [
    '1OeyzbTTxt+147W9yq6147mp06aho83Lt7/KsbzkysfKrtK7teMsx+uw0dS/s9e9u7j4x7DMqKGj',
    '早餐从七点到十点供应。退房时间是十一点,请把钥匙交给前台。',
  ],
  big5: [
    'pq3AXLFxpEPCSajspFHCSajRwLOhQ7BoqdCuybahrE+kUaRAwkksvdCn4sZfsM2l5rW5wmSleKFD',
    '早餐從七點到十點供應。退房時間是十一點,請把鑰匙交給櫃台。',
  ],
};

test.each(Object.entries(samples))('%s is detected and read', async (_, [bytes, text]) => {
  expect(await decodeText(Buffer.from(bytes, 'base64'))).toBe(text);
});

test('binary data is not text', async () => {
  expect(
    await decodeText(Buffer.from(Array.from({ length: 999 }, (_, index) => index % 256))),
  ).toBeNull();
});

test('text is stored as NFC with line feeds, without control characters, NUL or lone surrogates', () => {
  expect(cleanText('e\u0301\r\nb\rc\u2028d\u0000\u0007\u001b\ud800x\ufeff')).toBe(
    'é\nb\nc\nd\ufffdx',
  );
});

test('soft hyphens and bidi overrides are removed; the joiners of Persian and emoji are kept', () => {
  expect(cleanText('Check\u00adout \u202eabc\u202c')).toBe('Checkout abc');
  expect(cleanText('می\u200cخواهم 👨\u200d👩\u200d👧')).toBe('می\u200cخواهم 👨\u200d👩\u200d👧');
});

/** Encodes a text in an encoding that uses one byte per character. */
function encodeSingleBytes(text: string, encoding: string): Uint8Array {
  const decoder = new TextDecoder(encoding);
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]),
  );
  return Uint8Array.from(text, (character) => bytes.get(character) ?? 0x3f);
}

test.each([
  ['windows-1252', 'Prix: 12 €, café crème à volonté'],
  ['windows-1252', 'æøå'],
  ['windows-1252', '20 °C'],
  ['windows-1252', 'Preis 3½ Zimmer, § 5'],
  ['windows-1252', '¿Dónde está? ¡Aquí! 1º, 5 m³'],
  ['windows-1252', 'Réception; Hôtel; Größe; señor; Århus; køb'],
  ['windows-1252', 'Ný bók, þú ert hér'],
  ['windows-1252', 'Œuvre; cœur; sœur'],
  ['iso-8859-15', 'Preis: 5 € für Größe'],
  ['windows-1250', 'Žluťoučký kůň úpěl ďábelské ódy'],
  ['windows-1250', 'Cena pokoju: 120 zł'],
  ['windows-1250', 'Śniadanie od 7:00'],
  ['windows-1250', 'Árvíztűrő tükörfúrógép'],
  ['windows-1250', 'Snídaně od 7:00'],
  ['iso-8859-2', 'Zażółć gęślą jaźń'],
  ['windows-1251', 'Цена 12 €'],
  ['windows-1251', 'Wi-Fi пароль: Gast2026'],
  ['windows-1253', 'Το πρωινό από τις 7:00'],
  ['windows-1254', 'Oda fiyatı 120 TL'],
  ['windows-1255', 'ארוחת בוקר מ 7:00'],
  ['windows-1256', 'سعر الغرفة 12 €'],
  ['windows-1257', 'Pusryčiai nuo 7 val., kambarių kaina, žąsis'],
  ['macintosh', 'Größe;Preis\nÜbergröße;10\n'],
])('a short text in %s is read: %s', async (encoding, text) => {
  expect(await decodeText(encodeSingleBytes(text, encoding))).toBe(text);
});
