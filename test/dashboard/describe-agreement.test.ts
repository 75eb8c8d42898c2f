import { expect, test } from 'vitest';
import { describeAgreement } from '../../src/dashboard/evaluation/runs/describe-agreement.ts';

test('the agreement is one sentence, with its interval', () => {
  const agreement = { n: 20, share: 0.9, low: 0.699, high: 0.972, kappa: 0.7802 };
  expect(describeAgreement(agreement).replaceAll('\u00a0', ' ')).toBe(
    'The model agrees with 18 of 20 marks (90 %, 69.9 % to 97.2 %). Cohen’s kappa: 0.78',
  );
  const one = { n: 1, share: 1, low: 0.2, high: 1, kappa: null };
  expect(describeAgreement(one).replaceAll('\u00a0', ' ')).toBe(
    'The model agrees with 1 of 1 mark (100 %, 20 % to 100 %)',
  );
});
