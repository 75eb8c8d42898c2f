import { expect, it } from 'vitest';
import { otherDocumentPenalty } from '../../../src/models/extractive/other-document-penalty.ts';

const documents = ['Contract_Plus.md', 'Contract_Standard.md', 'Prices.md'];

function penalized(question: string): string[] {
  const penaltyOf = otherDocumentPenalty(question, documents);
  return documents.filter((document) => penaltyOf(document) > 0);
}

it.each([
  ['What does the contract Standard cost?', ['Contract_Plus.md', 'Prices.md']],
  ['What does a contract cost?', ['Prices.md']],
  ['When is the sauna open?', []],
])('%s', (question, expected) => {
  expect(penalized(question)).toEqual(expected);
});
