import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ChatReply } from '../../../src/domain/chat/chat-event.ts';
import { sendMessage } from '../../../src/domain/chat/send-message.ts';
import { streamAnswer } from '../../../src/domain/chat/stream-answer.ts';
import { claimHandoff } from '../../../src/domain/handoff/claim-handoff.ts';
import { replyToConversation } from '../../../src/domain/handoff/reply-to-conversation.ts';
import { requestHandoff } from '../../../src/domain/handoff/request-handoff.ts';
import {
  type BusinessHours,
  isOpenAt,
  isTimeZone,
  todayOf,
  weekdays,
} from '../../../src/domain/organizations/business-hours.ts';
import { updateProject } from '../../../src/domain/organizations/projects.ts';
import { newId } from '../../../src/platform/ids.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

const workdays = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'] as const;
const nineToFive = (timeZone: string): BusinessHours => ({
  timeZone,
  weekly: workdays.map((day) => ({ day, from: '09:00', to: '17:00' })),
});

test.each([
  [null, 'Saturday, 28 November 2026 (UTC)'],
  [nineToFive('Europe/Berlin'), 'Sunday, 29 November 2026 (Europe/Berlin)'],
  [nineToFive('America/New_York'), 'Saturday, 28 November 2026 (America/New_York)'],
])('today is the day of the time zone: %#', (hours, today) => {
  expect(todayOf(hours, new Date('2026-11-28T23:30:00Z'))).toBe(today);
});

describe('a team available from nine to five', () => {
  test.each([
    ['Europe/Berlin', '2026-11-20T07:59:59.999Z', false, 'Friday, a moment before nine'],
    ['Europe/Berlin', '2026-11-20T08:00:00Z', true, 'Friday at nine'],
    ['Europe/Berlin', '2026-11-20T15:59:59.999Z', true, 'Friday, a moment before five'],
    ['Europe/Berlin', '2026-11-20T16:00:00Z', false, 'Friday at five'],
    ['Europe/Berlin', '2026-11-21T10:00:00Z', false, 'Saturday'],
    ['Europe/Berlin', '2026-03-27T08:00:00Z', true, 'the Friday before summer time, at nine'],
    ['Europe/Berlin', '2026-03-30T06:59:00Z', false, 'the Monday after it began, before nine'],
    ['Europe/Berlin', '2026-03-30T07:00:00Z', true, 'the Monday after it began, at nine'],
    ['Europe/Berlin', '2026-03-30T15:00:00Z', false, 'the Monday after it began, at five'],
    ['Europe/Berlin', '2026-10-23T07:00:00Z', true, 'the Friday before it ends, at nine'],
    ['Europe/Berlin', '2026-10-26T07:00:00Z', false, 'the Monday after it ended, at eight'],
    ['Europe/Berlin', '2026-10-26T08:00:00Z', true, 'the Monday after it ended, at nine'],
    ['America/New_York', '2026-03-09T13:00:00Z', true, 'summer time begins earlier there'],
    ['Asia/Kolkata', '2026-11-20T03:29:00Z', false, 'half an hour off, before nine'],
    ['Asia/Kolkata', '2026-11-20T03:30:00Z', true, 'half an hour off, at nine'],
    ['Pacific/Auckland', '2026-11-22T20:00:00Z', true, 'Monday there, Sunday in Greenwich'],
    ['Pacific/Honolulu', '2026-11-21T02:59:00Z', true, 'Friday there, Saturday in Greenwich'],
    ['UTC', '2026-11-20T09:00:00Z', true, 'Greenwich'],
  ])('in %s at %s: %s (%s)', (timeZone, moment, isOpen) => {
    expect(isOpenAt(nineToFive(timeZone), new Date(moment))).toBe(isOpen);
  });
});

describe('business hours', () => {
  const at = (time: string) => new Date(`2026-11-20T${time}Z`);
  const friday = (...spans: readonly [string, string][]): BusinessHours => ({
    timeZone: 'UTC',
    weekly: spans.map(([from, to]) => ({ day: 'FRIDAY', from, to })),
  });

  test('with two spans have a break between them', () => {
    const hours = friday(['09:00', '12:00'], ['13:00', '17:00']);
    const isOpen = ['11:59', '12:00', '12:59', '13:00'].map((time) => isOpenAt(hours, at(time)));
    expect(isOpen).toEqual([true, false, false, true]);
  });

  test('over midnight are two spans that meet at midnight', () => {
    const hours: BusinessHours = {
      timeZone: 'UTC',
      weekly: [
        { day: 'FRIDAY', from: '22:00', to: '24:00' },
        { day: 'SATURDAY', from: '00:00', to: '02:00' },
      ],
    };
    const moments = ['20T21:59', '20T23:59', '21T00:00', '21T01:59', '21T02:00'];
    expect(moments.map((time) => isOpenAt(hours, new Date(`2026-11-${time}Z`)))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });

  test('skipped by daylight saving time never occur, and repeated ones occur twice', () => {
    const nights: BusinessHours = {
      timeZone: 'Europe/Berlin',
      weekly: [{ day: 'SUNDAY', from: '02:00', to: '03:00' }],
    };
    const openMinutes = (day: string) =>
      Array.from({ length: 24 * 60 }, (_, n) => new Date(Date.parse(day) + n * 60_000)).filter(
        (moment) => isOpenAt(nights, moment),
      ).length;
    expect(openMinutes('2026-03-29T00:00:00Z')).toBe(0);
    expect(openMinutes('2026-10-25T00:00:00Z')).toBe(120);
    expect(openMinutes('2026-11-22T00:00:00Z')).toBe(60);
  });

  test('without any day never occur', () => {
    expect(isOpenAt(friday(), at('12:00'))).toBe(false);
  });
});

test.each([
  ['Europe/Berlin', true],
  ['America/Argentina/Buenos_Aires', true],
  ['UTC', true],
  ['Europe/Atlantis', false],
  ['+02:00', false],
  ['', false],
  ['Europe/Berlin\0', false],
])('%j as a time zone: %s', (text, isKnown) => {
  expect(isTimeZone(text)).toBe(isKnown);
});

describe('an end user who writes while an agent owns the conversation', () => {
  const texts = { holdingText: 'Ada will answer you.', outOfHoursText: 'We open at nine.' };
  const opening = '2026-11-20T08:00:00Z';
  const closing = '2026-11-20T16:00:00Z';
  const minutesBefore = (moment: string, minutes = 1) =>
    new Date(Date.parse(moment) - minutes * 60_000);

  let service: TestService;
  let projectId: string;
  let conversationId: string;

  beforeAll(async () => {
    service = await sharedService({ isWorker: false });
  });
  beforeEach(async () => {
    ({ projectId } = await service.createTenant());
    const { id } = await service.system.db.conversation.create({
      data: { id: newId(), projectId, title: 'Refunds' },
    });
    conversationId = id;
    const handoff = await requestHandoff(service.system, { projectId, conversationId });
    await claimHandoff(service.system, { handoffId: handoff.id });
    await setAssistant({ ...texts, businessHours: nineToFive('Europe/Berlin') });
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(() => vi.useRealTimers());

  function setAssistant(assistant: Parameters<typeof updateProject>[1]['assistant']) {
    return updateProject(service.system, { id: projectId, assistant });
  }

  async function askAt(moment: Date | string, message = 'Hello?'): Promise<ChatReply> {
    vi.setSystemTime(moment);
    return sendMessage(service.system, { projectId, conversationId, message });
  }

  const messages = () =>
    service.system.db.message.findMany({
      where: { conversationId, projectId },
      orderBy: { position: 'asc' },
    });

  test('receives the holding message within business hours, and the out-of-hours message otherwise', async () => {
    const told = async (moment: Date | string) => {
      const { content } = await askAt(moment);
      const reply = { conversationId, content: 'Good day!' };
      await replyToConversation(service.system, reply);
      return content;
    };
    expect(await told(minutesBefore(opening))).toBe(texts.outOfHoursText);
    expect(await told(opening)).toBe(texts.holdingText);
    expect(await told(minutesBefore(closing))).toBe(texts.holdingText);
    expect(await told(closing)).toBe(texts.outOfHoursText);
    expect(
      (await messages()).flatMap(({ role, content }) => (role === 'SYSTEM' ? [content] : [])),
    ).toEqual([texts.outOfHoursText, texts.outOfHoursText]);
    const last = await askAt(closing);
    expect((await messages()).at(-1)).toMatchObject({ id: last.messageId, role: 'SYSTEM' });
  });

  test('receives it in a stream as well', async () => {
    vi.setSystemTime(closing);
    const deltas: string[] = [];
    const input = { projectId, conversationId, message: 'Hello?' };
    for await (const event of await streamAnswer(service.system, input)) {
      if (event.type === 'delta') deltas.push(event.text);
    }
    expect(deltas).toEqual([texts.outOfHoursText]);
  });

  test('has one holding message across closing time, with the latest text', async () => {
    const first = await askAt(minutesBefore(closing));
    const second = await askAt(closing);
    expect(first.content).toBe(texts.holdingText);
    expect(second).toMatchObject({ messageId: first.messageId, content: texts.outOfHoursText });
    const holding = (await messages()).filter(({ role }) => role === 'SYSTEM');
    expect(holding).toMatchObject([{ id: first.messageId, content: texts.outOfHoursText }]);
    expect((await messages()).map(({ position }) => position)).toEqual([1, 2, 3]);
  });

  test('has one holding message across closing time, also with 30 concurrent messages', async () => {
    const first = await askAt(minutesBefore(closing));
    vi.setSystemTime(closing);
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, n) => askAt(closing, `Message ${n}`)),
    );
    for (const { messageId, content } of replies) {
      expect({ messageId, content }).toEqual({
        messageId: first.messageId,
        content: texts.outOfHoursText,
      });
    }
    const stored = await messages();
    expect(stored.map(({ position }) => position)).toEqual(stored.map((_, n) => n + 1));
    expect(stored.filter(({ role }) => role === 'SYSTEM')).toMatchObject([
      { id: first.messageId, content: texts.outOfHoursText },
    ]);
    expect(stored.filter(({ content }) => content === texts.outOfHoursText)).toHaveLength(1);
  });

  test('never receives the out-of-hours message of a project without business hours', async () => {
    await setAssistant({ businessHours: null });
    expect((await askAt(closing)).content).toBe(texts.holdingText);
  });

  test('receives the default out-of-hours message in a project without texts of its own', async () => {
    await setAssistant({ outOfHoursText: null });
    expect((await askAt(closing)).content).toMatch(/^Our team is not here at the moment/);
  });

  test('receives it every day if the team has no business hours on any day', async () => {
    await setAssistant({ businessHours: { timeZone: 'UTC', weekly: [] } });
    for (const day of weekdays.keys()) {
      const moment = new Date(Date.parse('2026-11-16T12:00:00Z') + day * 86_400_000);
      expect((await askAt(moment)).content).toBe(texts.outOfHoursText);
    }
  });

  test('is answered by the assistant outside business hours while no agent owns the conversation', async () => {
    vi.setSystemTime(closing);
    const { content } = await sendMessage(service.system, { projectId, message: 'Hello?' });
    expect(Object.values(texts)).not.toContain(content);
  });
});
