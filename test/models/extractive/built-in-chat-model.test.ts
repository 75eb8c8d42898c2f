import { describe, expect, it } from 'vitest';
import { builtInChatModel } from '../../../src/models/extractive/built-in-chat-model.ts';
import type { AnswerRequest, EmbeddingModel, Source } from '../../../src/models/models.ts';
import { wordCount } from '../../../src/text/readable-text.ts';
import { hashEmbedding } from '../../support/hash-embedding.ts';

const embedding: EmbeddingModel = {
  name: 'hash-64',
  embed: async (texts) => ({ vectors: texts.map(hashEmbedding), tokens: texts.length }),
};
const model = builtInChatModel({ embedding });

function source(content: string, context = ''): Source {
  return { documentName: 'terms.md', context, content };
}

async function ask(
  question: string,
  sources: readonly Source[],
  history: AnswerRequest['history'] = [],
) {
  const request = { history, question, instructions: null, sources };
  const texts: string[] = [];
  let usage = { inputTokens: 0, outputTokens: 0 };
  for await (const part of model.answer(request, new AbortController().signal)) {
    if (part.type === 'text') texts.push(part.text);
    else if (part.type === 'usage') usage = part.usage;
  }
  return { text: texts.join(''), texts, usage };
}

const warranty = source(
  '# Warranty\n\nThe warranty of the X200 lasts two years. Batteries are covered for 6 months. It ends when the device is opened.',
);
const returns = source(
  '# Returns\n\nReturns are accepted within 30 days. Shipping is free in Europe.',
);

describe('the built-in answer', () => {
  it('is the sentence that answers, with the marker of its source', async () => {
    expect((await ask('How long is the warranty of the X200?', [returns, warranty])).text).toMatch(
      /^The warranty of the X200 lasts two years\. \[2\]/,
    );
    expect(
      (await ask('Within how many days are returns accepted?', [returns, warranty])).text,
    ).toMatch(/^Returns are accepted within 30 days\. \[1\]/);
  });

  it('has one to four sentences of at most 90 words in total, each with a marker and no duplicates', async () => {
    const sources = Array.from({ length: 6 }, (_, index) =>
      source(
        `Returns of item ${index} are accepted within ${index + 1} days. Returns are accepted in shops. Opened returns are refused by the shop.`,
      ),
    );
    const { text } = await ask('Are returns accepted?', sources);
    const sentences = text.split(/(?<=\[\d\]) /);
    expect(sentences.length).toBeGreaterThanOrEqual(1);
    expect(sentences.length).toBeLessThanOrEqual(4);
    expect(new Set(sentences.map((one) => one.replace(/ \[\d\]$/, ''))).size).toBe(
      sentences.length,
    );
    expect(sentences.every((sentence) => /\. \[[1-6]\]$/.test(sentence))).toBe(true);
    expect(wordCount(text)).toBeLessThanOrEqual(95);
  });

  it('is in the language of the source, including languages without spaces', async () => {
    const sources = [
      source('配送は無料です。保証期間は購入日から二年です。'),
      source('Die Lieferung ist kostenlos. Die Garantie beträgt zwei Jahre.'),
    ];
    expect((await ask('保証期間は何年ですか', sources)).text).toMatch(
      /^保証期間は購入日から二年です。 \[1\]/,
    );
    expect((await ask('Wie lange ist die Garantie?', sources)).text).toMatch(
      /^Die Garantie beträgt zwei Jahre\. \[2\]/,
    );
  });

  it('reads a table row with the dates above its columns, including dates from the heading path', async () => {
    const titles =
      'Three Months Ended | Nine Months Ended\nJuly 1, 2023 | June 25, 2022 | July 1, 2023 | June 25, 2022';
    const rows =
      'Boats | 60,584 | 63,355 | 230,901 | 245,241\nMooring fees | 21,213 | 19,604 | 62,886 | 58,941';
    const told =
      'Mooring fees — Three Months Ended July 1, 2023: 21,213, Three Months Ended June 25, 2022: 19,604, Nine Months Ended July 1, 2023: 62,886, Nine Months Ended June 25, 2022: 58,941';
    const whole = source(`Net sales\n\n${titles}\n${rows}`);
    const place = `Accounts › (In thousands) · ${titles.replace('\n', ' · ')} · Net sales:`;
    const cut = source(rows, place);
    for (const one of [whole, cut]) {
      expect((await ask('How much were the mooring fees?', [one])).text).toContain(told);
    }
  });

  it('reads table rows with their column names', async () => {
    const table = source('Plan | Price | Seats\nBasic | $5 | 2\nTeam | $20 | 10');
    expect((await ask('What is the price of the Team plan?', [table])).text).toMatch(
      /^Team — Price: \$20\. \[1\]/,
    );
    const more = source('The Team plan is for companies. The price is reviewed each year.');
    expect((await ask('What is the price of the Team plan?', [table, more])).text).toBe(
      'Team — Price: $20. [1]',
    );
    const form = source(
      'Aircraft: | Piper | Registration: | N5921D\nDate: | 12/08/2007 | Injuries: | 1 Minor',
    );
    expect((await ask('What is the registration?', [form])).text).toMatch(
      /^Registration: N5921D\. \[1\]/,
    );
    const csv = source('Name: Ann; City: Rome\nName: Bob; City: Paris');
    expect((await ask('In which city lives Bob?', [csv])).text).toMatch(
      /^Bob — City: Paris\. \[1\]/,
    );
  });

  it('returns a list with its introduction', async () => {
    const list = source('Bring this to the shop:\n\n- the receipt\n- the device\n- the charger');
    expect((await ask('What do I bring to the shop?', [list])).text).toBe(
      'Bring this to the shop: the receipt; the device; the charger. [1]',
    );
  });

  it('answers an FAQ question with the answer, never with the question', async () => {
    const faq = source(
      'How do I file a damage claim?\n\nSend photos to our team. They reply soon.\n\nHow do I pay?\n\nCards are fine.',
    );
    const { text } = await ask('How do I file a damage claim?', [faq]);
    expect(text).toMatch(/^Send photos to our team\./);
    expect(text).not.toContain('?');
  });

  it('prepends the preceding sentence to a sentence that starts with "It"', async () => {
    const { text } = await ask('When does it end, when opened?', [warranty]);
    expect(text).toContain(
      'Batteries are covered for 6 months. It ends when the device is opened. [1]',
    );
  });

  it('omits footnote numbers of the source, which would look like citation markers', async () => {
    const { text } = await ask('When was it built?', [
      source('The tower was built in 1887.[2][31]'),
    ]);
    expect(text).toBe('The tower was built in 1887. [1]');
  });

  it('answers a follow-up with the help of the previous question', async () => {
    const history = [
      { role: 'USER', content: 'How long is the warranty of the X200?' },
      { role: 'ASSISTANT', content: 'Two years [1].' },
    ] as const;
    const { text } = await ask('And for batteries?', [returns, warranty], history);
    expect(text).toContain('Batteries are covered for 6 months.');
  });

  describe('to a follow-up', () => {
    const shipping = source(
      'We ship to Norway. Parcels to Norway may be subject to customs. Gas travels by road only.',
    );
    const asked = [
      { role: 'USER', content: 'Do you ship to Norway?' },
      { role: 'ASSISTANT', content: 'We ship to Norway. [1]', citedHeading: 'Shipping' },
    ] as const;

    it('does not repeat the previous answer', async () => {
      const { text } = await ask('Tell me more about that', [shipping], asked);
      expect(text).not.toContain('We ship to Norway.');
      expect(text).toContain('customs');
    });

    it('says that the documents contain nothing more', async () => {
      const { text } = await ask('Tell me more', [source('We ship to Norway.')], asked);
      expect(text).toBe('The documents contain nothing more about this.');
      const german = [
        { role: 'USER', content: 'Liefern Sie auch nach Norwegen oder ist das nicht möglich?' },
        { role: 'ASSISTANT', content: 'Wir liefern nach Norwegen. [1]' },
      ] as const;
      const answer = await ask('Und noch mehr?', [source('Wir liefern nach Norwegen.')], german);
      expect(answer.text).toBe('Mehr steht dazu nicht in den Dokumenten.');
    });

    it('says so if the same passage is the answer', async () => {
      const prices = source(
        'Item | Price | Weight\nFjord tent | 289 | 2900\nTrail bag | 129 | 980',
      );
      const { text: first } = await ask('What does the Fjord tent cost?', [prices]);
      const history = [
        { role: 'USER', content: 'What does the Fjord tent cost?' },
        { role: 'ASSISTANT', content: first },
      ] as const;
      const { text } = await ask('How heavy is it?', [prices], history);
      expect(text).toBe(`The same passage applies: ${first}`);
      const other = await ask('And the Trail bag?', [prices], history);
      expect(other.text).toMatch(/^Trail bag — Price: 129/);
      expect(other.text).not.toContain('Fjord');
    });

    it('about another subject is a refusal if there is only the previous answer', async () => {
      const pickup = source('Pickup at our store in Ghent is free and is ready after 2 hours.');
      const { text: first } = await ask('What does pickup cost?', [pickup]);
      const history = [
        { role: 'USER', content: 'What does pickup cost?' },
        { role: 'ASSISTANT', content: first },
      ] as const;
      const { text } = await ask('And what is the weather like in Ghent today?', [pickup], history);
      expect(text).toBe('The documents contain nothing more about this.');
    });

    it('about a table row contains its columns that the earlier question did not ask for', async () => {
      const codes = source(
        'Code | Meaning | Remedy\nE12 | Storage full | Delete files\nE34 | No network | Restart',
      );
      const { text: first } = await ask('What is the meaning of E12?', [codes]);
      expect(first).toBe('E12 — Meaning: Storage full. [1]');
      const history = [
        { role: 'USER', content: 'What is the meaning of E12?' },
        { role: 'ASSISTANT', content: first },
      ] as const;
      const { text } = await ask('What can I do about it?', [codes], history);
      expect(text).toMatch(/^E12 — Meaning: Storage full, Remedy: Delete files\. \[1\]/);
    });

    it('about one item of a list contains only this item', async () => {
      const options = source(
        'Delivery options:\n\n- Standard delivery takes 5 days.\n- Express delivery takes 1 day.\n- Pickup is free.',
      );
      const { text: first } = await ask('Which delivery options are there?', [options]);
      const history = [
        { role: 'USER', content: 'Which delivery options are there?' },
        { role: 'ASSISTANT', content: first },
      ] as const;
      const { text } = await ask('explain the second one', [options], history);
      expect(text).toContain('Express delivery takes 1 day');
      expect(text).not.toContain('Standard');
    });
  });

  it('streams in small parts, then reports the tokens read by the embedding model', async () => {
    const { texts, usage } = await ask('How long is the warranty?', [warranty]);
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.every((text) => text.length <= 120)).toBe(true);
    expect(usage.inputTokens).toBeGreaterThan(1);
    expect(usage.outputTokens).toBeGreaterThan(1);
  });

  it('exists even if the sources contain only headings', async () => {
    expect((await ask('Contact?', [source('# Contact\n\n# Imprint')])).text).toContain('[1]');
  });

  it('fails if the sources are empty', async () => {
    await expect(ask('Contact?', [source(' ')])).rejects.toMatchObject({ code: 'MODEL_ERROR' });
    await expect(ask('Contact?', [])).rejects.toMatchObject({ code: 'MODEL_ERROR' });
  });

  it('stays fast on hostile sources', async () => {
    const sources = [
      '. '.repeat(40_000),
      'a: b; '.repeat(15_000),
      '- x\n'.repeat(20_000),
      ' | '.repeat(20_000),
    ];
    // If the time grew quadratically, this would exceed the time limit of the test.
    await ask(
      'What is a: b?',
      sources.map((content) => source(content)),
    );
  });
});

describe('aborting the built-in answer', () => {
  it('fails before, during and after the comparison of sentences', async () => {
    const request = { history: [], question: 'Returns?', instructions: null, sources: [returns] };
    const aborted = model.answer(request, AbortSignal.abort());
    await expect(aborted.next()).rejects.toMatchObject({ code: 'MODEL_ERROR' });

    const controller = new AbortController();
    const slow = builtInChatModel({
      embedding: {
        name: 'slow',
        embed: async (_, options) => {
          controller.abort();
          options?.signal?.throwIfAborted();
          return { vectors: [], tokens: 0 };
        },
      },
    });
    const during = slow.answer(request, controller.signal);
    await expect(during.next()).rejects.toMatchObject({ code: 'MODEL_ERROR' });

    const later = new AbortController();
    const stream = model.answer(request, later.signal);
    expect(await stream.next()).toMatchObject({ value: { type: 'text' } });
    later.abort();
    await expect(stream.next()).rejects.toMatchObject({ code: 'MODEL_ERROR' });
  });
});

describe('a follow-up', () => {
  const rewrite = async (question: string, ...asked: string[]) => {
    const history = asked.map((content) => ({ role: 'USER', content }) as const);
    return (await model.rewriteQuestion({ history, question }, new AbortController().signal)).query;
  };

  it.each([
    ['And in winter?', 'What are the opening hours of the museum?'],
    ['How much is it?', 'Do you sell the museum card?'],
    ['Why?', 'Is the museum closed on Mondays?'],
    ['Und im Winter?', 'Wann hat das Museum geöffnet?'],
  ])('is combined with the words of the previous question: %s', async (question, before) => {
    const query = await rewrite(question, 'Hello', before);
    expect(query.startsWith(question)).toBe(true);
    expect(query).toMatch(/museum/i);
  });

  it('that is complete stays unchanged', async () => {
    const question = 'Which documents are needed for a parking permit downtown?';
    expect(await rewrite(question, 'What are the opening hours of the museum?')).toBe(question);
  });

  it('stays unchanged without a previous question', async () => {
    expect(await rewrite('How much is it?')).toBe('How much is it?');
    expect(await rewrite('How much is it?', 'Hi')).toBe('How much is it?');
  });

  it('receives at most a dozen words', async () => {
    const before = Array.from({ length: 300 }, (_, index) => `item${index}x`).join(' ');
    expect((await rewrite('And it?', before)).split(' ')).toHaveLength(2 + 12);
  });
});
