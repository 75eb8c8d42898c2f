import { expect, it } from 'vitest';
import { rowNameBonus } from '../../../src/models/extractive/row-name-bonus.ts';

it.each([
  ['What effective tax rate did Apple report?', 'Effective tax rate; 12.5%; 9.4%', true],
  ['What was the gross margin of Apple?', 'Total gross margin; $36,413; $35,885', true],
  ['How many iPads were sold?', 'iPad — Units: 7,224, Change: 3 %', true],
  ['What effective tax rate did Apple report?', 'Tax rate of the State; 21%', false],
  ['What effective tax rate did Apple report?', 'The effective tax rate was lower.', false],
  ['Was there an effective tax rate?', 'Effective tax rate; see below', false],
  ['What were net sales in the quarter ended June 25, 2022?', 'June 25, 2022; 82,959', false],
])('%s %s', (question, text, isNamed) => {
  expect(rowNameBonus(question)(text) > 0).toBe(isNamed);
});
