import { describe, expect, it } from 'vitest';
import {
  answerTypeBonus,
  asksForList,
  asksForOneFact,
  asksForSteps,
  lacksCertainFact,
} from '../../../src/models/extractive/answer-type.ts';

describe('a question prefers a sentence with the kind of answer that it asks for', () => {
  it.each([
    ['How often is the boiler inspected?', 'It is inspected annually.', 'It was inspected.'],
    ['How often do buses run?', 'A bus leaves every ten minutes.', 'Buses are yellow.'],
    ['Wie oft wird geputzt?', 'Geputzt wird wöchentlich.', 'Geputzt wird gründlich.'],
    ['¿Con qué frecuencia se paga?', 'El pago es mensual.', 'El pago es seguro.'],
    ['定期検査はどのくらいの頻度ですか', '検査は毎月あります。', '検査は無料です。'],
    ['How long is the lease?', 'The lease runs for two years.', 'The lease is in building 7.'],
    ['Wie lange gilt das Ticket?', 'Es gilt zwei Stunden.', 'Es gilt im Bus.'],
    ['有效期是多久？', '有效期为30天。', '请妥善保管。'],
    ['How far in advance do I book?', 'Book two weeks ahead.', 'Book 3 rooms at most.'],
    ['How much does the pass cost?', 'The pass is $40.', 'The pass is for 2 adults.'],
    ['Wie teuer ist die Karte?', 'Sie kostet 15 Euro.', 'Sie gilt für 2 Personen.'],
    ["What was the club's annual membership rate?", 'The rate is 40.', 'The rate fell.'],
    ['How many people were hurt?', 'Two passengers were hurt.', 'It burnt on May 3, 2007.'],
    ['How many seats has the plane?', 'There are 4 seats.', 'The plane is a PA-22.'],
    ['In what year did it open?', 'It opened in 1990.', 'It opened late.'],
    ['Why did sales fall?', 'The fall is attributable to costs.', 'Sales fell in May.'],
    ['How many rooms are there?', 'There are twelve, or 12, rooms.', 'The rooms are large.'],
    ['What is the annual fee?', 'The fee is 40 euros.', 'The fee is due on joining.'],
    ['When does the office open?', 'It opens at 9.', 'It opens with a key.'],
    ['What phone number do I dial?', 'Dial +41 44 123 45 67.', 'Dial the number of 2020.'],
    ['Which e-mail address do I use?', 'Write to desk@harbour.example.', 'Write to the desk.'],
    ['Who signs the form?', 'It is signed by Maria Rossi.', 'It is signed in ink.'],
    ['Where is the depot?', 'It is in Rotterdam.', 'It is large.'],
    ['Why was the pool closed?', 'It closed because of a leak.', 'It closed in May.'],
  ])('%s', (question, good, bad) => {
    const bonus = answerTypeBonus(question);
    expect(bonus(good)).toBeGreaterThan(bonus(bad));
  });

  it.each([
    ['How much does a ticket cost?', 'Tickets are at the desk, room 3.', 'A ticket is 12 euros.'],
    ['What will a ticket set me back?', 'Tickets are sold here.', 'A ticket costs 12.'],
    ['Was kostet die Karte?', 'Die Karte gilt für 2 Personen.', 'Die Karte ist kostenlos.'],
    ['What time is breakfast?', 'Breakfast is in room 3.', 'Breakfast is from 7 to 10.'],
    ['When does the pool close?', 'Call 617-387-7625.', 'It closes at 8 p.m.'],
  ])('knows that a text lacks the price or the time: %s', (question, without, text) => {
    expect(lacksCertainFact(question, without)).toBe(true);
    expect(lacksCertainFact(question, text)).toBe(false);
  });

  it.each([
    'The deposit of 640 crowns was paid today.',
    'It is 200 kr, or SEK 200.',
    'The pass is CHF 40.',
    'The pass is ₺90.',
    'The pass is 12 pounds.',
    'The pass is 20.– €.',
    'The pass is 300 元.',
    'The deposit is 200.',
  ])('knows an amount in any currency: %s', (text) => {
    expect(lacksCertainFact('How much was paid for the pass?', text)).toBe(false);
  });

  it.each(['Bring 2 francophone guests.', 'It has 12 crowned trees.', 'All 3 try again.'])(
    'knows words that are no currency: %s',
    (text) => {
      expect(lacksCertainFact('How much does the pass cost?', text)).toBe(true);
    },
  );

  it.each(['When was it built?', 'How much rain falls?', 'Where is it?', 'Is it free?'])(
    'does not know what a text lacks for: %s',
    (question) => {
      expect(lacksCertainFact(question, 'It is large.')).toBe(false);
    },
  );

  it('does not count a number of the question as the answer', () => {
    const bonus = answerTypeBonus('How many guests fit into room 7?');
    expect(bonus('Room 7 has a view.')).toBe(0);
    expect(bonus('Room 7 fits 4 guests.')).toBeGreaterThan(0);
  });

  it.each([
    ['What is not insured?', 'Jewellery is excluded.', 'Bicycles are insured.'],
    ['Was ist nicht versichert?', 'Schmuck ist nicht versichert.', 'Fahrräder sind versichert.'],
    ['¿Qué no está cubierto?', 'Todo salvo las joyas.', 'Las bicicletas.'],
    ['哪些不在保险范围内？', '珠宝不在保险范围内。', '自行车在保险范围内。'],
  ])('keeps the sense of a negated question: %s', (question, negated, positive) => {
    const bonus = answerTypeBonus(question);
    expect(bonus(negated)).toBeGreaterThan(0);
    expect(bonus(positive)).toBeLessThan(0);
  });

  it('has no preference for a question without a known question word', () => {
    const bonus = answerTypeBonus('Opening of the museum');
    expect(bonus('It opened in 1990, because people asked.')).toBe(0);
  });
});

it('distinguishes questions for one fact from questions for a list', () => {
  expect(asksForOneFact('How many days of leave do I have?')).toBe(true);
  expect(asksForOneFact('Which documents do I need?')).toBe(false);
});

it.each([
  ['When is the depot open?', true],
  ["When wasn't it open?", true],
  ["When's the deadline?", true],
  ['When’ll it be open?', true],
  ['When to file the report?', true],
  ['By when do I pay?', true],
  ['What does the host see when I book?', false],
  ['When I book, what does the host see?', false],
  ['How do I reach you by phone?', false],
  ['What is the phone number?', true],
  ['Which visits are possible by video or phone?', false],
  ['What number do I call?', true],
  ['May I call off the trip?', false],
])('recognizes a question for a time or a phone number: %s', (question, isOneFact) => {
  expect(asksForOneFact(question)).toBe(isOneFact);
});

it.each([
  ['What is PerksPlus?', false],
  ['What was the cause of Legionnaires?', false],
  ['Which documents do I need?', true],
  ['What are the opening hours?', true],
  ['Welche Unterlagen brauche ich?', true],
  ['需要哪些文件？', true],
  ['What is the fee?', false],
  ['Which was the first ship?', false],
])('recognizes a question for several things: %s', (question, isList) => {
  expect(asksForList(question)).toBe(isList);
});

it.each([
  ['How do I renew my card?', true],
  ['Wie kann ich den Vertrag kündigen?', true],
  ['¿Cómo reservo una mesa?', true],
  ['How many cards are there?', false],
  ['What is a card?', false],
])('recognizes a question for a procedure: %s', (question, isProcedure) => {
  expect(asksForSteps(question)).toBe(isProcedure);
});

it('a rate is no duration, and a price is hardly an answer to "how long?"', () => {
  const bonusOf = answerTypeBonus('Wie lange kann ich ein Zelt mieten?');
  expect(bonusOf('Ein Zelt kostet 15 Euro pro Tag.')).toBeLessThan(0.1);
  expect(bonusOf('Ein Zelt kann höchstens 21 Tage gemietet werden.')).toBeGreaterThan(0.3);
  expect(answerTypeBonus('How long is it?')('It takes 2 business days.')).toBeGreaterThan(0.3);
});
