import { expect, test } from 'vitest';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import { addMailThread } from '../../../src/extract/mail/add-mail-thread.ts';
import { textPieces } from '../../../src/extract/mail/mail-pieces.ts';
import { readThread } from '../../../src/extract/mail/mail-thread.ts';
import { createTextBuilder } from '../../../src/extract/text-builder.ts';
import { readEml } from '../../../src/extract/text-formats/eml.ts';
import { describeBlocks } from '../../support/programs/describe-blocks.ts';

const from = (name: string, subject: string, type = 'text/plain') =>
  `From: ${name} <${name.toLowerCase()}@sails.example>\nSubject: ${subject}\nContent-Type: ${type}; charset=utf-8\n\n`;
const read = async (mail: string) =>
  describeBlocks(
    await readEml(Buffer.from(mail.replaceAll('\n', '\r\n')), defaultExtractLimits),
  ).slice(2);
const quote = (text: string) => text.replaceAll(/^/gm, '> ').replaceAll(/^> >/gm, '>>');

const signature = '-- \nPetra Vance\nTel. +44 20 7946 0011\n\nThis e-mail is confidential.';
const first = `Hello,\n\nthe sail comes on 3 May.\n\n${signature}`;
const second = `Sorry, it comes on 10 May.\n${signature}\n\nOn Mon, 2 Mar 2026 at 10:12, Petra Vance\n<p@sails.example> wrote:\n${quote(first)}`;

test('what the sender wrote is first, and quoted messages follow without marks, from new to old', async () => {
  const third = `Thank you.\nAm 03.03.2026 um 09:00 schrieb Petra Vance:\n\n${quote(second)}`;
  expect(await read(from('Rosa', 'Sail') + third)).toEqual([
    'paragraph: Thank you.',
    'heading2: Earlier message (Am 03.03.2026 um 09:00 schrieb Petra Vance)',
    'paragraph: Sorry, it comes on 10 May.',
    'heading2: Signature',
    'paragraph: Petra Vance\nTel. +44 20 7946 0011',
    'heading2: Earlier message (On Mon, 2 Mar 2026 at 10:12, Petra Vance wrote)',
    'paragraph: Hello,',
    'paragraph: the sail comes on 3 May.',
    'heading2: Notices',
    'paragraph: This e-mail is confidential.',
  ]);
});

test.each([
  '-----Original Message-----\nFrom: Harbour\nSent: Tuesday, 3 March 2026 17:01\nTo: Ivo\nSubject: Berth',
  '________________________________\nFrom: Harbour\nSent: Tuesday, 3 March 2026 17:01\nTo: Ivo\nSubject: Berth',
  '---------- Forwarded message ---------\nFrom: Harbour\nDate: Tuesday, 3 March 2026 17:01\nSubject: Berth\nTo: Ivo',
  '-----Ursprüngliche Nachricht-----\nVon: Harbour\nGesendet: Tuesday, 3 March 2026 17:01\nAn: Ivo\nBetreff: Berth',
  '----- Viesti -----\n*De :* Harbour\n*Envoyé :* Tuesday, 3 March 2026 17:01\n*À :* Ivo\n*Objet :* Berth',
  'Begin forwarded message:\n\nFrom: Harbour\nDate: Tuesday, 3 March 2026 17:01\nTo: Ivo\nSubject: Berth',
])('a message below the fields of its header is an earlier one: %s', async (header) => {
  const fields = header.split('\n').slice(-2).join('\n');
  expect(
    await read(`${from('Ivo', 'Berth')}It is at pier 6.\n\n${header}\n\nIt is at pier 2.`),
  ).toEqual([
    'paragraph: It is at pier 6.',
    'heading2: Earlier message (Harbour, Tuesday, 3 March 2026 17:01)',
    `paragraph: ${fields}`,
    'paragraph: It is at pier 2.',
  ]);
});

test.each([
  '<div>Pier 6.<br></div><div class="gmail_quote"><div class="gmail_attr">On Tue, 3 Mar 2026, Harbour wrote:<br></div><blockquote class="gmail_quote"><div>Pier 2.</div></blockquote></div>',
  '<p>Pier 6.</p><div class="moz-cite-prefix">On Tue, 3 Mar 2026, Harbour wrote:</div><blockquote type="cite"><p>Pier 2.</p></blockquote>',
  '<div>Pier 6.</div><blockquote type="cite"><div>On Tue, 3 Mar 2026, Harbour wrote:</div><br><div>Pier 2.</div></blockquote>',
  '<div>Pier 6.</div><div class="yahoo_quoted"><div>On Tue, 3 Mar 2026, Harbour wrote:</div><div>Pier 2.</div></div>',
  '<p>Pier 6.</p><p>From: On Tue</p><p>Sent: 3 Mar 2026, Harbour wrote</p><p>Pier 2.</p>',
  '<p>Pier 6.<br>From: On Tue<br>Sent: 3 Mar 2026, Harbour wrote<br>Pier 2.</p>',
])('a quotation in the HTML of mail programs is an earlier message: %s', async (html) => {
  expect(await read(from('Ivo', 'Berth', 'text/html') + html)).toEqual([
    'paragraph: Pier 6.',
    'heading2: Earlier message (On Tue, 3 Mar 2026, Harbour wrote)',
    'paragraph: Pier 2.',
  ]);
});

test('answers below the parts of a quotation stay in order', async () => {
  const mail = `Hi Ivo,\n\nOn Tue, 3 Mar 2026, Ivo wrote:\n> At which pier?\n\nPier 6.\n\n> And the fee?\n> > It was 20 euros.\n\n31 euros.\n\nKind regards\nHarbour`;
  expect(await read(from('Harbour', 'Berth') + mail)).toEqual([
    'paragraph: Hi Ivo,',
    'paragraph: Earlier message (On Tue, 3 Mar 2026, Ivo wrote):',
    'paragraph: At which pier?',
    'paragraph: Harbour:',
    'paragraph: Pier 6.',
    'paragraph: Earlier message:',
    'paragraph: And the fee?',
    'paragraph: Earlier message:',
    'paragraph: It was 20 euros.',
    'paragraph: Harbour:',
    'paragraph: 31 euros.',
    'heading2: Signature of Harbour',
    'paragraph: Kind regards\nHarbour',
  ]);
});

test('an answer below the whole quotation comes before it', async () => {
  const question = quote(
    `Hello,\n\nat which pier is the berth?\n\n${'We arrive late. '.repeat(30)}`,
  );
  const mail = `On Tue, 3 Mar 2026, Ivo wrote:\n${question}\n\nAt pier 6.`;
  const [answer, title] = await read(from('Harbour', 'Berth') + mail);
  expect(answer).toBe('paragraph: At pier 6.');
  expect(title).toBe('heading2: Earlier message (On Tue, 3 Mar 2026, Ivo wrote)');
});

test('attached messages are read from new to old, and quotations of them are not repeated', async () => {
  const part = (name: string, date: string, body: string) =>
    `--b\nContent-Type: message/rfc822\nContent-Disposition: attachment; filename="${name}.eml"\n\nDate: ${date}\n${from(name, 'Sail')}${body}\n`;
  const mail =
    `From: Shop <shop@sails.example>\nSubject: Thread\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nSee below.\n` +
    part('Petra', 'Mon, 2 Mar 2026 10:12:00 +0000', 'The sail comes on 3 May.') +
    part(
      'Rosa',
      'Tue, 3 Mar 2026 11:30:00 +0000',
      'Fine.\n\nOn Mon, 2 Mar 2026, Petra wrote:\n> The sail comes\n> on 3 May.',
    ) +
    '--b--\n';
  const extracted = await readEml(Buffer.from(mail), defaultExtractLimits);
  expect(describeBlocks(extracted).slice(2)).toEqual([
    'paragraph: See below.',
    'paragraph: Attachments: Petra.eml, Rosa.eml',
    'heading2: Attached message – Sail',
    'paragraph: From: Rosa <rosa@sails.example>\nDate: 2026-03-03 11:30 UTC',
    'paragraph: Fine.',
    'heading2: Attached message – Sail',
    'paragraph: From: Petra <petra@sails.example>\nDate: 2026-03-02 10:12 UTC',
    'paragraph: The sail comes on 3 May.',
  ]);
  expect(extracted.warnings).toBeUndefined();
});

test('an invitation is read with time, place and people', async () => {
  const calendar =
    'BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VTIMEZONE\nDTSTART:19700101T000000\nEND:VTIMEZONE\nBEGIN:VEVENT\nDTSTART;TZID=Europe/Berlin:20260509T140000\nDTEND:20260509T150000Z\nSUMMARY:Spring\n  regatta\\, part 1\nLOCATION:North pier\nORGANIZER;CN="Vance, Petra":mailto:p@sails.example\nDESCRIPTION:Bring\\na rope.\nBEGIN:VALARM\nDESCRIPTION:Reminder\nEND:VALARM\nEND:VEVENT\nEND:VCALENDAR\n';
  const mail = `From: a@sails.example\nSubject: Invitation\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\nYou are invited.\n--b\nContent-Type: text/calendar; charset=utf-8\n\n${calendar}--b--\n`;
  expect(await read(mail)).toEqual([
    'paragraph: You are invited.',
    'heading2: Event – Spring regatta, part 1',
    'paragraph: Start: 2026-05-09 14:00 (Europe/Berlin)\nEnd: 2026-05-09 15:00 UTC\nLocation: North pier\nOrganizer: Vance, Petra <p@sails.example>',
    'paragraph: Bring\na rope.',
  ]);
});

test('a text that is no quotation stays as it is', async () => {
  const body =
    'Dear all,\n\nFrom: the office\nthe key is at 5 > 3 and\n--- Price list ---\nOn 3 May 2026 we open.\n\nContact:\nTel. +44 20 7946 0011';
  const mail = await read(from('Ivo', 'Key') + body);
  expect(mail.filter((block) => block.includes('Earlier'))).toEqual([]);
});

test.each([
  '> '.repeat(50_000),
  'From: a\nSent: b\n\n',
  'On 3 May 2026, a wrote:\n',
  '> a\n\nb\n\n',
  '-- \n',
  'On 3 May 2026\n',
])(
  'a hostile thread takes linear time: %.20s',
  (part) => {
    const text = part.repeat(Math.ceil(1_000_000 / part.length));
    const thread = readThread(textPieces(text));
    const added = { texts: new Set<string>(), notices: [] };
    const add = () =>
      addMailThread(createTextBuilder(10_000_000), thread, { sender: 'a', level: 2, added });
    expect(add).not.toThrow();
  },
  60_000,
);
