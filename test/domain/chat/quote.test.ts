import { describe, expect, it } from 'vitest';
import { answerSupport } from '../../../src/domain/chat/evidence/answer-support.ts';
import {
  citedStatements,
  quotedStatements,
  textCitingSource,
} from '../../../src/domain/chat/evidence/cited-statements.ts';
import { findQuote } from '../../../src/domain/chat/evidence/quote.ts';

const warranty = `# Warranty

Every device comes with a guarantee. The warranty of the X200 lasts two years from the day of purchase. \
Batteries are covered for 6 months. Dr. Smith signs the certificates, e.g. for resellers.

- Keep the receipt
- Send the device to Hamburg`;

describe('a quote', () => {
  it.each([
    [
      'The X200 has a warranty of two years.',
      'The warranty of the X200 lasts two years from the day of purchase.',
    ],
    ['For batteries it is 6 months.', 'Batteries are covered for 6 months.'],
    ['Devices are sent to Hamburg.', '- Send the device to Hamburg'],
  ])('is the sentence that supports "%s"', (statement, sentence) => {
    expect(findQuote(statement, warranty)?.quote).toBe(sentence);
  });

  it.each([
    [
      '保証は何年ですか',
      '製品には説明書が付属します。保証期間は購入日から二年です。返品は三十日以内です。',
      '保証期間は購入日から二年です。',
    ],
    ['退货期限是三十天', '本店提供保修。退货期限为三十天。运费由买家承担。', '退货期限为三十天。'],
    [
      'Гарантия длится два года',
      'Возврат возможен. Срок гарантии составляет два года. Доставка платная.',
      'Срок гарантии составляет два года.',
    ],
    [
      'الضمان سنتان',
      'الشحن مجاني. مدة الضمان سنتان من تاريخ الشراء. الإرجاع ممكن.',
      'مدة الضمان سنتان من تاريخ الشراء.',
    ],
  ])('is found in any script: %s', (statement, content, sentence) => {
    expect(findQuote(statement, content)?.quote).toBe(sentence);
  });

  it('is verbatim, at its offsets, and at most 300 UTF-16 units long', () => {
    const long = `Intro.\n\n${'The bridge of steel and stone '.repeat(40)}ends in Rome 😀.\n\nName: Bridge; City: Rome`;
    for (const content of [warranty, long, 'word'.repeat(500)]) {
      for (const statement of ['The bridge ends in Rome.', 'two years', 'Batteries', content]) {
        const found = findQuote(statement, content);
        if (found === null) continue;
        expect(content.slice(found.start, found.end)).toBe(found.quote);
        expect(found.quote.length).toBeLessThanOrEqual(300);
        expect(found.quote.isWellFormed()).toBe(true);
        expect(found.quote).toBe(found.quote.trim());
      }
    }
    expect(findQuote('The bridge ends in Rome.', long)).not.toBeNull();
  });

  it('includes the adjacent sentence that supports the rest of the statement', () => {
    const content = 'The office is in Oslo. It opens at nine and closes at five. Cats sleep.';
    const found = findQuote('The Oslo office opens at nine and closes at five.', content);
    expect(found?.quote).toBe('The office is in Oslo. It opens at nine and closes at five.');
  });

  it('is absent if the chunk contains no word of the statement', () => {
    expect(findQuote('Penguins swim.', warranty)).toBeNull();
    expect(findQuote('', warranty)).toBeNull();
    expect(findQuote('two years', '')).toBeNull();
  });
});

describe('the statements of an answer for a source', () => {
  it.each([
    ['The X200 lasts two years [1]. Batteries last 6 months [2].', 2, 'Batteries last 6 months'],
    ['The X200 lasts two years.[1] Batteries last 6 months.[2]', 1, 'The X200 lasts two years.'],
    [
      'Two years for X200 devices [1][2], but batteries get 6 months [3].',
      3,
      'but batteries get 6 months',
    ],
    ['Hello there. The X200 lasts two years [1].', 1, 'The X200 lasts two years'],
    ['According to [1], the X200 lasts two years.', 1, 'According to the X200 lasts two years.'],
    ['保証は二年間です【1】。返品は三十日以内です【2】。', 2, '返品は三十日以内です'],
  ])('%s (%i)', (answer, source, statement) => {
    expect(textCitingSource(citedStatements(answer), source)).toBe(statement);
  });

  it('are empty if the source is not cited', () => {
    expect(textCitingSource(citedStatements('Two years [1]. `a[2]`'), 2)).toBe('');
  });
});

describe('the support of an answer', () => {
  const sources = [
    {
      documentName: 'a.md',
      context: 'X200',
      content: 'The warranty lasts two years. Batteries: 6 months.',
    },
    { documentName: 'b.md', context: '', content: 'Returns are accepted within 30 days.' },
  ];

  it('is complete if the cited sources contain all words, also in other forms', () => {
    expect(answerSupport('The X200 warranties last two years [1].', sources)).toBe(1);
  });

  it('decreases with missing words, most with missing numbers', () => {
    const words = answerSupport('The warranty lasts two years worldwide [1].', sources);
    const numbers = answerSupport('The warranty lasts 7 years [1].', sources);
    expect(words).toBeLessThan(1);
    expect(numbers).toBeLessThan(words);
  });

  it('counts only the sources cited for a statement', () => {
    expect(answerSupport('Returns are accepted within 30 days [1].', sources)).toBeLessThan(0.2);
  });

  it('counts statements without a source', () => {
    const added = 'The warranty lasts two years [1]. You also get free flights to Rome and dinner.';
    expect(answerSupport(added, sources)).toBeLessThan(0.6);
  });

  it('reads "2 years" as "two years"', () => {
    expect(answerSupport('The warranty lasts 2 years [1].', sources)).toBe(1);
  });

  const long = [
    {
      documentName: 'refunds.md',
      context: '',
      content:
        'Refunds for the tour are paid within 14 days, to the card that was used. Tours that the office cancels are refunded in full. Tickets for children under six are free. Questions are answered by Mrs Jensen, on workdays from 9 to 17.',
    },
    {
      documentName: 'tours.md',
      context: '',
      content: 'The harbour tour lasts two hours and starts at the lighthouse.',
    },
  ];
  const answer =
    'Refunds for the tour are paid within 14 days, to the card that was used [1]. Tours that the office cancels are refunded in full [1]. Tickets for children under six are free [1]. The harbour tour lasts two hours and starts at the lighthouse [2]. Questions are answered by Mrs Jensen, on workdays from 9 to 17 [1].';

  it.each([
    ['nothing', answer, 1],
    ['the form of a list', `1. ${answer.replaceAll('. ', '.\n2. ')}`, 1],
    ['another way to write the time', answer.replace('9 to 17', '9 am to 5 pm'), 0.8],
    ['a friendly word', `${answer} Let me know if you have further questions!`, 0.8],
    ['a number', answer.replace('14', '30'), 0.6],
    ['a small number', answer.replace('two', 'three'), 0.6],
    ['a name', answer.replace('Jensen', 'Petersen'), 0.7],
    ['the source of a statement', answer.replace('lighthouse [2]', 'lighthouse [1]'), 0.6],
    [
      'a whole statement',
      answer.replace(/Tickets.*?free/, 'Everybody receives a bottle of champagne and dinner'),
      0.6,
    ],
    [
      'a sentence added without a source',
      `${answer} Everybody also receives a bottle of champagne and a free dinner.`,
      0.75,
    ],
  ])('detects in a long answer that %s is changed', (_, changed, support) => {
    const found = answerSupport(changed, long);
    if (support >= 0.8) expect(found).toBeGreaterThanOrEqual(support);
    else expect(found).toBeLessThanOrEqual(support);
  });

  it('does not detect a reversed statement with the same words', () => {
    expect(answerSupport(answer.replace('are paid', 'are not paid'), long)).toBe(1);
  });

  it('recognizes small numbers written as words in other languages', () => {
    const german = [{ documentName: 'a', context: '', content: 'Die Tour dauert zwei Stunden.' }];
    expect(answerSupport('Die Tour dauert 2 Stunden [1].', german)).toBeGreaterThan(0.4);
    expect(answerSupport('Die Tour dauert 45 Stunden [1].', german)).toBeLessThanOrEqual(0.6);
  });

  it('is judged by numbers if answer and source are in different languages', () => {
    const right =
      'Die Batterien sind für 6 Monate und nicht für mehr von der Garantie gedeckt [1].';
    const wrong = right.replace('6', '9');
    const long = sources.map((source) => ({
      ...source,
      content: `${source.content} It is not for you and ends when the device is opened by others.`,
    }));
    expect(answerSupport(right, long)).toBe(1);
    expect(answerSupport(wrong, long)).toBeLessThan(0.5);
    expect(answerSupport('電池は保証されています [1]。', long)).toBe(0.75);
  });

  it('is zero if nothing is cited', () => {
    expect(answerSupport('The warranty lasts two years.', sources)).toBe(0);
    expect(answerSupport('The warranty lasts two years [9].', sources)).toBe(0);
  });
});

it('a quote that ends with a colon contains what follows, as far as it fits', () => {
  const content =
    'Our offices are closed on Sundays.\n\nFor questions of privacy, contact us at:\n\n- Harbour Lane 12\n- privacy@hotel.example';
  expect(findQuote('For questions of privacy, contact us', content)?.quote).toBe(
    'For questions of privacy, contact us at:\n\n- Harbour Lane 12\n- privacy@hotel.example',
  );
  const long = `For questions of privacy, contact us at:\n\n- ${'Harbour '.repeat(40)}`;
  expect(findQuote('For questions of privacy, contact us', long)?.quote).toBe(
    'For questions of privacy, contact us at:',
  );
});

it('quotes the items of a list that a statement has, from its introduction', () => {
  const content =
    'The office is open. You need:\n\n- A passport of one of the countries\n- A photo that is not older than a year\n- The form of the office\n\nThe fee is low.';
  const answer =
    'You need: A passport of one of the countries; A photo that is not older than a year; The form of the office. [1]';
  const statement = textCitingSource(quotedStatements(answer), 1);
  expect(findQuote(statement, content)?.quote).toBe(
    'You need:\n\n- A passport of one of the countries\n- A photo that is not older than a year\n- The form of the office',
  );
});

it('takes the whole text between the markers of an answer that consists of quotes', () => {
  const answer = 'Send it back. Keep the receipt. Wait. [1] It is free. [2]';
  expect(quotedStatements(answer)).toEqual([
    { text: 'Send it back. Keep the receipt. Wait.', sources: [1] },
    { text: 'It is free.', sources: [2] },
  ]);
});

it('quotes a command, which looks like a heading', () => {
  const content = 'To delete a berth, run\n\nharbour delete --berth 7\n\nIt takes a second.';
  const quote = findQuote('To delete a berth, run harbour delete --berth 7.', content)?.quote;
  expect(quote).toBe('To delete a berth, run\n\nharbour delete --berth 7');
});
