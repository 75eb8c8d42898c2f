import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BuiltInEmbedding,
  startBuiltInEmbedding,
} from '../../../src/models/embedding/built-in-embedding-model.ts';
import { builtInChatModel } from '../../../src/models/extractive/built-in-chat-model.ts';
import type { AnswerReader, AnswerRequest } from '../../../src/models/models.ts';
import { builtInAnswerReader } from '../../../src/models/reader/built-in-answer-reader.ts';

const { signal } = new AbortController();
const passage = [
  'Parking is free for guests of the hotel.',
  'Dogs and cats stay for 12 euros per night.',
  'The lobby was painted blue in spring.',
];
const warnings: string[] = [];
const log = pino({}, { write: (line) => warnings.push(JSON.parse(line).msg) });

let embedding: BuiltInEmbedding;
beforeAll(async () => {
  embedding = await startBuiltInEmbedding();
});
afterAll(() => embedding?.stop());

function request(question: string, ...contents: readonly string[]): AnswerRequest {
  const sources = contents.map((content) => ({ documentName: 'house.md', context: '', content }));
  return { history: [], question, query: question, instructions: null, sources };
}

describe('the answer reader', () => {
  it('scores the sentence that answers best, the same in each call', async () => {
    const question = 'What does it cost to bring my pet?';
    const [scores = []] = await embedding.read(question, [passage], signal);
    expect(scores).toHaveLength(3);
    expect(scores.indexOf(Math.max(...scores))).toBe(1);
    const again = await embedding.read(question, [['x'], passage, []], signal);
    expect(again[1]).toEqual(scores);
    expect(again[2]).toEqual([]);
  });

  it('reads a huge question and huge texts', async () => {
    const huge = 'word '.repeat(200_000);
    const [scores = []] = await embedding.read(huge, [[huge, '', '\ud800 \u0000', huge]], signal);
    expect(scores.map(Number.isFinite)).toEqual([true, true, true, true]);
  });

  it('stops when the caller disconnects', async () => {
    const controller = new AbortController();
    const reading = embedding.read('?', Array(500).fill(passage), controller.signal);
    controller.abort(new Error('gone'));
    await expect(reading).rejects.toThrow('gone');
  });

  it('is unavailable after a failure, which is logged once', async () => {
    let calls = 0;
    const model = {
      read: async () => {
        calls += 1;
        throw new Error('no weights');
      },
    };
    const reader = builtInAnswerReader({ model, log });
    expect(await reader.read('?', [['a']], signal)).toBeNull();
    expect(await reader.read('?', [['a']], signal)).toBeNull();
    expect(calls).toBe(1);
    expect(warnings).toEqual(['the answer reader failed: answers are chosen without it']);
  });
});

describe('the built-in chat model with a reader', () => {
  const answerable = request('What does it cost to bring my pet?', passage.join(' '));

  function countingReader(): AnswerReader & { calls: number } {
    return {
      calls: 0,
      read(...input) {
        this.calls += 1;
        return embedding.read(...input);
      },
    };
  }
  const equalReader: AnswerReader = {
    read: async (_, passages) => passages.map((texts) => texts.map(() => 0)),
  };
  async function answerOf(model: ReturnType<typeof builtInChatModel>, asked: AnswerRequest) {
    let text = '';
    for await (const part of model.answer(asked, signal))
      if (part.type === 'text') text += part.text;
    return text;
  }

  async function answerability(model: ReturnType<typeof builtInChatModel>, asked: AnswerRequest) {
    return (await model.read?.(asked, signal))?.answerability ?? 0;
  }

  it('finds it more probable that passages answer a question than that others do', async () => {
    const model = builtInChatModel({ embedding, reader: countingReader() });
    const yes = await answerability(model, answerable);
    const other = request('What does it cost to bring my pet?', 'The lobby was painted blue.');
    const no = await answerability(model, other);
    expect(yes).toBeGreaterThan(no + 1);
  });

  it('finds an answer less probable if no text has the number that the question asks for', async () => {
    const model = builtInChatModel({ embedding, reader: { read: async () => [[0]] } });
    const text = 'The hotel charges guests for pets.';
    const some = await answerability(model, request('Does the hotel charge for pets?', text));
    const much = await answerability(
      model,
      request('How much does the hotel charge for pets?', text),
    );
    expect(much).toBeLessThan(some - 1);
  });

  it('finds an answer less probable if another text is as good', async () => {
    const model = builtInChatModel({ embedding, reader: equalReader });
    const asked = 'When does the ferry leave?';
    const clear = 'The ferry leaves at nine. The lobby was painted blue.';
    const unclear = 'The ferry leaves at nine. The ferry leaves when the tide is high.';
    const sure = await answerability(model, request(asked, clear));
    const unsure = await answerability(model, request(asked, unclear));
    expect(unsure).toBeLessThan(sure - 0.5);
  });

  it('finds a record less probable if the question names none of its fields', async () => {
    const model = builtInChatModel({ embedding, reader: equalReader });
    const record =
      'Ship: Aurora; Year: 1998; Port: Seebach; Crew: 12; Length: 31 m; Draught: 4 m; Flag: Malta; Owner: Holm';
    const [named, unnamed] = await Promise.all(
      ['What crew has the ship Aurora?', 'How fast is the ship Aurora?'].map((question) => {
        const asked = request(question, record);
        const sources = asked.sources.map((one) => ({ ...one, documentName: 'ships.csv' }));
        return answerability(model, { ...asked, sources });
      }),
    );
    expect(unnamed ?? 0).toBeLessThan((named ?? 0) - 4);
  });

  it('leaves out further texts that the reader takes for no answer', async () => {
    const texts = 'The hotel lends children a cot. The hotel gives children a seat and a plate.';
    const asked = request('What does the hotel offer children?', texts);
    const answerIf = (scores: readonly number[]) =>
      answerOf(builtInChatModel({ embedding, reader: { read: async () => [scores] } }), asked);
    expect(await answerIf([4, 4])).toContain('plate');
    expect(await answerIf([4, -8])).toBe('The hotel lends children a cot. [1]');
  });

  it('reads the passages of a request once', async () => {
    const reader = countingReader();
    const model = builtInChatModel({ embedding, reader });
    await model.read?.(answerable, signal);
    expect(await answerOf(model, answerable)).toBe(
      'Dogs and cats stay for 12 euros per night. [1]',
    );
    expect(reader.calls).toBe(1);
    await answerOf(model, { ...answerable });
    expect(reader.calls).toBe(2);
  });

  it.each([
    ['a question in another language', 'Was kostet es, mein Haustier mitzubringen?', passage],
    ['passages in another alphabet', 'pets cost?', ['Собаки и кошки живут здесь за плату.']],
  ])('does not read %s', async (_, question, texts) => {
    const reader = countingReader();
    const model = builtInChatModel({ embedding, reader });
    const read = await model.read?.(request(question, texts.join(' ')), signal);
    expect(read?.answerability).toBeNull();
    expect(reader.calls).toBe(0);
  });

  it('answers without the reader if it is unavailable or there is none', async () => {
    const without = builtInChatModel({ embedding });
    const broken = builtInChatModel({ embedding, reader: { read: async () => null } });
    expect((await without.read?.(answerable, signal))?.answerability).toBeNull();
    expect((await broken.read?.(answerable, signal))?.answerability).toBeNull();
    expect(await answerOf(broken, answerable)).toBe(await answerOf(without, answerable));
  });

  it('counts the words of the question in the best text, in every language', async () => {
    const model = builtInChatModel({ embedding });
    const shareOf = async (question: string) =>
      (await model.read?.(request(question, 'Hunde kosten zwölf Euro. Der Hof ist groß.'), signal))
        ?.wordShare;
    expect(await shareOf('Was kosten Hunde?')).toBe(1);
    expect(await shareOf('Was kosten Pferde?')).toBeLessThan(1);
  });

  it('does not fail before the answer if the embedding model does', async () => {
    const failing = {
      name: 'broken',
      embed: async () => {
        throw new Error('out of order');
      },
    };
    const model = builtInChatModel({ embedding: failing, reader: countingReader() });
    expect(await model.read?.(answerable, signal)).toBeNull();
    await expect(answerOf(model, answerable)).rejects.toThrow('out of order');
  });
});
