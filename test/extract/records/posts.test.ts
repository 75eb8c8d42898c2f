import { expect, test } from 'vitest';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import { readJson } from '../../../src/extract/text-formats/json.ts';
import { describeBlocks } from '../../support/programs/describe-blocks.ts';

const json = async (value: unknown) =>
  describeBlocks(await readJson(Buffer.from(JSON.stringify(value)), defaultExtractLimits));

test('messages of a Slack export are their texts with author and time', async () => {
  const messages = [
    {
      client_msg_id: '0b1c',
      type: 'message',
      user: 'U07A',
      team: 'T01',
      text: 'The *spare key* is with <@U07B>, see <https://intra.example/keys|the list> in <#C042|keys>. <!here>',
      ts: '1772445600.000200',
      thread_ts: '1772445600.000200',
      reply_count: 1,
      reply_users: ['U07B'],
      replies: [{ user: 'U07B', ts: '1772449200.000100' }],
      user_profile: {
        real_name: 'Ana Prado',
        avatar_hash: 'ab12',
        image_72: 'https://a.example/72.png',
      },
      blocks: [{ type: 'rich_text', elements: [{ type: 'text', text: 'The spare key' }] }],
      reactions: [{ name: '+1', users: ['U07B'], count: 1 }],
    },
    {
      type: 'message',
      subtype: 'channel_join',
      user: 'U07C',
      text: '<@U07C> has joined the channel',
      ts: '1772445700.000100',
    },
    {
      type: 'message',
      user: 'U07C',
      text: 'Snow &amp; ice: 3 &lt; 4 `a_b *c*`',
      ts: '1772445800.000100',
    },
    {
      type: 'message',
      user: 'U07B',
      text: 'Thanks',
      ts: '1772449200.000100',
      thread_ts: '1772445600.000200',
      parent_user_id: 'U07A',
      user_profile: { real_name: 'Ben Ode' },
    },
    {
      type: 'message',
      subtype: 'bot_message',
      username: 'Alarm',
      text: '',
      ts: '1772450000.000100',
      attachments: [{ fallback: 'Door open', id: 1, color: 'f00' }],
    },
  ];
  expect(await json(messages)).toEqual([
    'paragraph: Ana Prado, 2026-03-02 10:00 UTC: The spare key is with @Ben Ode, see the list (https://intra.example/keys) in #keys. @here',
    'paragraph: Ben Ode, 2026-03-02 11:00 UTC, in reply to Ana Prado: Thanks',
    'paragraph: 2026-03-02 10:03 UTC: Snow & ice: 3 < 4 `a_b *c*`',
    'paragraph: Alarm, 2026-03-02 11:13 UTC: Door open',
  ]);
});

test('users and channels of a Slack export are their names and purposes', async () => {
  const users = [
    {
      id: 'U07A',
      team_id: 'T01',
      name: 'ana',
      deleted: false,
      color: '9f69e7',
      real_name: 'Ana Prado',
      tz: 'Europe/Rome',
      tz_offset: 3600,
      is_admin: true,
      updated: 1772445600,
      profile: {
        title: 'Head of harbour',
        phone: '+39 010 5550',
        real_name: 'Ana Prado',
        real_name_normalized: 'Ana Prado',
        avatar_hash: 'ab',
        image_24: 'https://a.example/24.png',
        email: 'ana@harbour.example',
        team: 'T01',
      },
    },
  ];
  expect(await json(users)).toEqual([
    'table-row: name: ana; real_name: Ana Prado; profile.title: Head of harbour; profile.phone: +39 010 5550; profile.email: ana@harbour.example',
  ]);
  const channels = [
    {
      id: 'C042',
      name: 'keys',
      created: 1772445600,
      creator: 'U07A',
      is_archived: false,
      is_general: false,
      members: ['U07A', 'U07B'],
      topic: { value: 'Keys &amp; codes', creator: 'U07A', last_set: 0 },
      purpose: { value: 'Who has which key', creator: '', last_set: 0 },
    },
  ];
  expect(await json(channels)).toEqual([
    'table-row: name: keys; topic.value: Keys & codes; purpose.value: Who has which key',
  ]);
});

test('tickets of a help desk are sections with their comments, authors and times', async () => {
  const comment = (id: number, author_id: number, html: string, created_at: string) => ({
    id,
    type: 'Comment',
    author_id,
    created_at,
    public: true,
    audit_id: 5,
    body: html.replace(/<[^>]*>/g, ''),
    html_body: `<div class="zd-comment">${html}</div>`,
    plain_body: html.replace(/<[^>]*>/g, ''),
    via: { channel: 'web', source: { from: {}, to: {}, rel: null } },
    attachments: [{ id: 8, file_name: 'dock.pdf', content_url: 'https://h.example/8' }],
    url: 'https://h.example/api/v2/comments/1.json',
  });
  const tickets = [
    {
      id: 77,
      url: 'https://h.example/api/v2/tickets/77.json',
      subject: 'Dock &amp; power',
      raw_subject: 'Dock &amp; power',
      description: 'Is there power?',
      status: 'open',
      tags: ['dock'],
      requester_id: 501,
      submitter_id: 501,
      created_at: '2026-03-02T10:00:00Z',
      updated_at: '2026-03-03T10:00:00Z',
      via: { channel: 'email' },
      custom_fields: [
        { id: 1, value: null },
        { id: 2, value: 'x1' },
      ],
      comments: [
        comment(1, 501, '<p>Is there power?</p>', '2026-03-02T10:00:00Z'),
        comment(2, 502, '<p>Yes, <b>16 A</b>.</p><p>Bring a cable.</p>', '2026-03-02T12:30:00Z'),
      ],
    },
  ];
  const users = [
    { id: 501, name: 'Ana Prado' },
    { id: 502, name: 'Ben Ode' },
  ];
  expect(await json({ tickets, users, count: 1, next_page: null, previous_page: null })).toEqual([
    'heading1: tickets',
    'heading2: Dock & power',
    'table-row: status: open; tags: dock; updated_at: 2026-03-03 10:00 UTC',
    'paragraph: Ana Prado, 2026-03-02 10:00 UTC: Is there power?',
    'table-row: attachments[0].file_name: dock.pdf',
    'paragraph: Ben Ode, 2026-03-02 12:30 UTC: Yes, 16 A.',
    'paragraph: Bring a cable.',
    'table-row: attachments[0].file_name: dock.pdf',
    'heading1: users',
    'table-row: id: 501; name: Ana Prado',
    'table-row: id: 502; name: Ben Ode',
  ]);
});

test('an article of a help centre is its title and text, without technical fields', async () => {
  const articles = [
    {
      id: 9001,
      url: 'https://h.example/api/v2/help_center/articles/9001.json',
      html_url: 'https://h.example/hc/9001',
      author_id: 501,
      comments_disabled: true,
      draft: false,
      promoted: false,
      position: 0,
      vote_sum: 3,
      vote_count: 5,
      section_id: 12,
      created_at: '2026-03-02T10:00:00Z',
      updated_at: '2026-03-02T11:00:00Z',
      edited_at: '2026-03-02T11:00:00Z',
      name: 'Parking',
      title: 'Parking',
      source_locale: 'en-us',
      locale: 'en-us',
      outdated: false,
      outdated_locales: [],
      user_segment_id: null,
      permission_group_id: 3,
      content_tag_ids: [],
      label_names: ['cars'],
      body: '<p>Park behind the mill.</p><p>Gate code: 4471#</p>',
    },
  ];
  expect(await json({ count: 1, page: 1, per_page: 30, articles })).toEqual([
    'heading1: articles',
    'heading2: Parking',
    'table-row: html_url: https://h.example/hc/9001; updated_at: 2026-03-02 11:00 UTC; label_names: cars; created_at: 2026-03-02 10:00 UTC',
    'paragraph: Park behind the mill.',
    'paragraph: Gate code: 4471#',
  ]);
});

test('messages of other programs are recognized by their fields', async () => {
  const messages = [
    { message_id: '1', sender: { name: 'Ana' }, sent_at: 1772445600000, content: 'Tea at four.' },
    {
      message_id: '2',
      sender: { name: 'Ben' },
      sent_at: 1772445660000,
      content: '<p>Fine &amp; good.</p><p>Bye.</p>',
    },
  ];
  expect(await json({ ok: true, messages })).toEqual([
    'heading1: messages',
    'paragraph: Ana, 2026-03-02 10:00 UTC: Tea at four.',
    'paragraph: Ben, 2026-03-02 10:01 UTC: Fine & good.',
    'paragraph: Bye.',
  ]);
});

test('a single article, also inside an object, is read like one in a list', async () => {
  const article = {
    id: 1,
    title: 'Parking',
    body: '<p>Park behind the mill.</p>',
    author_id: 5,
    created_at: '2026-03-02T10:00:00Z',
  };
  const blocks = [
    'heading2: Parking',
    'table-row: created_at: 2026-03-02 10:00 UTC',
    'paragraph: Park behind the mill.',
  ];
  expect(await json(article)).toEqual(blocks);
  expect(await json({ article })).toEqual(blocks);
  expect(await json([{ article }])).toEqual(blocks);
});

test('marks of a chat are read in a table without authors, too', async () => {
  const text = 'Ask <@U07BX> &amp; see <https://intra.example/keys|the *list*>';
  expect(await json([{ channel: 'keys', text }])).toEqual([
    'table-row: channel: keys; text: Ask @U07BX & see the list (https://intra.example/keys)',
  ]);
});

test('other fields of a record with text, author and time stay, and so do records without one of them', async () => {
  const review = {
    id: 4,
    author: 'Ana',
    date: '2026-03-02',
    text: 'Warm rooms.',
    rating: 5,
    room: '12',
  };
  expect(await json([review])).toEqual([
    'table-row: author: Ana; date: 2026-03-02; text: Warm rooms.; rating: 5; room: 12',
  ]);
  expect(await json([{ id: 4, author: 'Ana', text: 'Warm rooms.' }])).toEqual([
    'table-row: id: 4; author: Ana; text: Warm rooms.',
  ]);
  expect(await json([{ id: 4, type: 'spare part', url: 'https://a.example/4', price: 3 }])).toEqual(
    ['table-row: id: 4; type: spare part; url: https://a.example/4; price: 3'],
  );
});

test('a million nested replies are TOO_LARGE', async () => {
  const depth = 200_000;
  const text = `${'[{"user":"a","ts":"1772445600.000200","text":"x","replies":'.repeat(depth)}[]${'}]'.repeat(depth)}`;
  await expect(readJson(Buffer.from(text), defaultExtractLimits)).rejects.toMatchObject({
    code: 'TOO_LARGE',
  });
});
