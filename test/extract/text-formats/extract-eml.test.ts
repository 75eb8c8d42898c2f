import { expect, test } from 'vitest';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import { readEml } from '../../../src/extract/text-formats/eml.ts';
import { describeBlocks } from '../../support/programs/describe-blocks.ts';

const read = async (lines: readonly string[]) =>
  describeBlocks(await readEml(Buffer.from(lines.join('\r\n')), defaultExtractLimits));

const headers = [
  'From: =?utf-8?q?J=C3=BCrgen_Lee?= <j@hotel.example>',
  'To: "Ann, Sales" <ann@hotel.example>, bob@hotel.example',
  'Cc: Team: c@hotel.example, d@hotel.example;',
  'Date: Sat, 14 Mar 2026 13:30:00 +0100',
  'Subject: Opening hours =?iso-8859-1?Q?f=FCr?= the pool',
  'MIME-Version: 1.0',
];
const details =
  'paragraph: From: Jürgen Lee <j@hotel.example>\nTo: Ann, Sales <ann@hotel.example>, bob@hotel.example\n' +
  'Cc: Team: c@hotel.example, d@hotel.example\nDate: 2026-03-14 12:30 UTC';
const subject = 'heading1: Opening hours für the pool';

test('subject, people, date and text are read, in the encoding of the email', async () => {
  const type = 'Content-Type: text/plain; charset=iso-8859-1';
  const body = [
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'The pool is open f=FCr guests.',
    '',
    'Daily.',
  ];
  expect(await read([...headers, type, ...body])).toEqual([
    subject,
    details,
    'paragraph: The pool is open für guests.',
    'paragraph: Daily.',
  ]);
});

test('an HTML body keeps its structure, and attachments are named', async () => {
  const html =
    '<html><head><title>x</title></head><body><p>Hours:</p><table><tr><td>Mon</td><td>9-18</td></tr></table></body></html>';
  const parts = [
    'Content-Type: multipart/mixed; boundary=m',
    '',
    '--m',
    'Content-Type: multipart/alternative; boundary=a',
    '',
    '--a',
    'Content-Type: text/plain',
    '',
    'Hours: Mon 9-18',
    '--a',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(html).toString('base64'),
    '--a--',
    '--m',
    'Content-Type: application/pdf',
    "Content-Disposition: attachment; filename*=utf-8''pl%C3%A4ne.pdf",
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from('%PDF-').toString('base64'),
    '--m--',
  ];
  expect(await read([...headers, ...parts])).toEqual([
    subject,
    details,
    'paragraph: Hours:',
    'table-row: Mon | 9-18',
    'paragraph: Attachments: pläne.pdf',
  ]);
});

test.each([
  '<img src="https://a.example/pixel.gif">',
  '<p style="display:none">Secret</p><table><tr><td>&nbsp;</td><td>&zwnj;</td></tr></table>',
])('the text is read if the HTML body shows none: %s', async (html) => {
  const parts = [
    'Content-Type: multipart/alternative; boundary=a',
    '',
    '--a',
    'Content-Type: text/plain',
    '',
    'Open daily.',
    '--a',
    'Content-Type: text/html',
    '',
    html,
    '--a--',
  ];
  expect(await read([...headers, ...parts])).toEqual([subject, details, 'paragraph: Open daily.']);
});

test('encrypted emails, other texts and hostile parts have their error codes', async () => {
  const rejects = (lines: readonly string[], code: string) =>
    expect(read(lines)).rejects.toMatchObject({ code });
  const encrypted =
    'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b';
  await rejects([...headers, encrypted, '', '--b--'], 'ENCRYPTED');
  const enveloped = 'Content-Type: application/pkcs7-mime; smime-type=enveloped-data';
  await rejects([...headers, enveloped, '', 'MIAG'], 'ENCRYPTED');
  await rejects(['Note: this is no email', '', 'text'], 'CORRUPT_FILE');
  await rejects(['', ''], 'CORRUPT_FILE');
  await rejects(['Subject:', '', ' '], 'EMPTY_TEXT');
  const nested = Array.from({ length: 200 }, (_, depth) => [
    `Content-Type: multipart/mixed; boundary=b${depth}`,
    '',
    `--b${depth}`,
  ]);
  await rejects([...headers, ...nested.flat()], 'TOO_LARGE');
  await rejects([`X-A: ${'a'.repeat(3_000_000)}`, ...headers, '', 'x'], 'TOO_LARGE');
});

test('a truncated email keeps what it has', async () => {
  const parts = [
    'Content-Type: multipart/mixed; boundary=m',
    '',
    '--m',
    'Content-Type: text/plain',
    '',
    'Open dai',
  ];
  expect(await read([...headers, ...parts])).toEqual([subject, details, 'paragraph: Open dai']);
});
