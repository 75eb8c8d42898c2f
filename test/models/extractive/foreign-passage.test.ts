import { describe, expect, it } from 'vitest';
import { askBuiltIn } from '../../support/evaluation/ask-built-in.ts';

const english = 'The warranty of the X200 lasts two years. It ends when the device is opened.';
const german = 'Die Garantie für das X200 gilt zwei Jahre und endet, wenn das Gerät geöffnet wird.';

describe('a passage in another language than the question', () => {
  it.each([
    ['de', 'Wie lange gilt die Garantie für das X200?', 'Das habe ich auf Englisch gefunden: '],
    ['fr', 'Quelle est la durée de la garantie du X200 ?', "J'ai trouvé ceci en anglais : "],
    ['es', '¿Cuánto dura la garantía del X200?', 'He encontrado esto en inglés: '],
    ['it', 'Quanto dura la garanzia della macchina X200?', 'Ho trovato questo in inglese: '],
    ['nl', 'Hoe lang is de garantie op het X200?', 'Dit heb ik in het Engels gevonden: '],
    ['pt', 'Quanto tempo dura a garantia do X200?', 'Encontrei isto em inglês: '],
  ])('is introduced in the language of the question: %s', async (_, question, lead) => {
    expect(await askBuiltIn(question, english)).toMatch(
      new RegExp(`^${lead}The warranty of the X200 lasts two years\\.`),
    );
  });

  it('is introduced in English, with the name of its language', async () => {
    expect(await askBuiltIn('How long is the warranty of the X200?', german)).toMatch(
      /^I found this in German: Die Garantie/,
    );
  });

  it('is introduced once, before the first of several sentences', async () => {
    const answer = await askBuiltIn('Wie lange gilt die Garantie für das X200?', english);
    expect(answer.match(/Englisch/g)).toHaveLength(1);
  });

  it.each([
    ['the same language', 'How long is the warranty of the X200?', english],
    ['a short question', 'Die Garantie?', english],
    ['a question whose language is unclear', 'X200 warranty', german],
    ['a question in another language than the seven', 'Сколько длится гарантия X200?', english],
    [
      'a quote whose language is unclear',
      'Wie lange gilt die Garantie für das X200?',
      'Garantie X200: 24 months',
    ],
    [
      'a foreign sentence in a passage of the same language',
      'What does the sign on the X200 warranty say?',
      'The warranty of the X200 is printed on a sign. The sign on the X200 says: Die Garantie gilt nicht für das X200, wenn es geöffnet wird. You find it on the back of the device, and it is in the manual, too. It is there for the shops that sell it.',
    ],
  ])('has no introduction: %s', async (_, question, passage) => {
    expect(await askBuiltIn(question, passage)).not.toMatch(/found|gefunden/);
  });
});
