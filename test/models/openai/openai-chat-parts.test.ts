import { describe, expect, it } from 'vitest';
import { createChatParts } from '../../../src/models/openai/openai-chat-parts.ts';

const event = (body: unknown) => ({ name: null, data: JSON.stringify(body) });
const textEvent = (content: string) => event({ choices: [{ index: 0, delta: { content } }] });
const finishEvent = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });

describe('the events of one read', () => {
  it('become one part of text', () => {
    const chat = createChatParts(new Headers(), 100, () => {});
    const { parts, failure } = chat.read([textEvent('Two '), textEvent('years'), finishEvent]);
    expect(parts).toEqual([{ type: 'text', text: 'Two years' }]);
    expect(failure).toBeNull();
    expect(chat.finishReason).toBe('STOP');
  });

  it('keep their order: a refusal comes after the text before it', () => {
    const chat = createChatParts(new Headers(), 100, () => {});
    const refusal = event({ choices: [{ delta: { refusal: 'No.' } }] });
    expect(chat.read([textEvent('Well. '), refusal]).parts).toEqual([
      { type: 'text', text: 'Well. ' },
      { type: 'refusal' },
      { type: 'text', text: 'No.' },
    ]);
  });

  it('return the text before an invalid event together with its error', () => {
    const chat = createChatParts(new Headers(), 100, () => {});
    const { parts, failure } = chat.read([textEvent('Two'), { name: null, data: '{' }]);
    expect(parts).toEqual([{ type: 'text', text: 'Two' }]);
    expect(failure?.error).toBeInstanceOf(SyntaxError);
  });

  it('return the text before the limit together with an error', () => {
    const chat = createChatParts(new Headers(), 4, () => {});
    const { parts, failure } = chat.read([textEvent('Two '), textEvent('years')]);
    expect(parts).toEqual([{ type: 'text', text: 'Two ' }]);
    expect(failure?.error).toMatchObject({ code: 'MODEL_ERROR' });
  });

  it('are ignored after [DONE]', () => {
    const chat = createChatParts(new Headers(), 100, () => {});
    const read = chat.read([finishEvent, { name: null, data: '[DONE]' }, textEvent('late')]);
    expect(read).toEqual({ parts: [], failure: null });
    expect(chat.isDone).toBe(true);
  });

  it('skip the text of other choices', () => {
    const chat = createChatParts(new Headers(), 100, () => {});
    const other = event({ choices: [{ index: 1, delta: { content: 'other' } }] });
    expect(chat.read([other, textEvent('Two')]).parts).toEqual([{ type: 'text', text: 'Two' }]);
  });
});
