import { expect, it } from 'vitest';
import { lacksSubject } from '../../../src/models/extractive/asked-subject.ts';
import { contentTerms } from '../../../src/text/terms.ts';

const plain = (text: string) => ({ text, topic: [] });

it.each([
  ['What is the default of imageSize?', 'fontSize: 12', 'It draws.'],
  ['Which engine does it use by default?', 'It has several engines.', 'It draws.'],
  ['Is Python 3.15 supported?', 'Python 3.14 is supported.', 'It draws.'],
  ['What does --force do?', 'With --quiet, nothing is printed.', 'It draws.'],
  ['Default of MAX_SIZE?', 'MIN_SIZE is 3.', 'It draws.'],
  ['phone number of director Lund?', 'Call Ms Berg at 030 118.', 'The director is Ole Lund.'],
])('a text is about something else: %s', (question, best, other) => {
  expect(lacksSubject(question, plain(best), [plain(other)])).toBe(true);
});

it.each([
  ['What is the default of imageSize?', 'imageSize: 12', 'It draws.'],
  ['Which engine does it use by default?', 'If none is set, it uses the old one.', 'It draws.'],
  ['Default of imageSize?', 'imageSize — Default: 12', 'It draws.'],
  ['Is Python 3.15 supported?', 'Python 3.15 is not supported.', 'It draws.'],
  ['Is 3.50 € the price?', 'It costs 4 €.', 'It draws.'],
  ['What does --force do?', 'Use --force to overwrite.', 'It draws.'],
  ['phone number of director Lund?', 'Call Ole Lund at 030 118.', 'The director is Ole Lund.'],
  ['How do I fix CERT_FAILED?', 'Update the list of certificates.', 'It draws.'],
  ['How do I change the default?', 'Run the config program.', 'It draws.'],
  // These documents do not contain the name of the house that they describe.
  ['What is the phone number of Seebach?', 'Call 030 118.', 'The house is old.'],
  ['Where is director Lund?', 'She is at the office.', 'The director is Ole Lund.'],
])('a text is about the subject, or not known to be about another: %s', (question, best, other) => {
  expect(lacksSubject(question, plain(best), [plain(other)])).toBe(false);
});

it('the headings above a text count', () => {
  const best = { text: 'Call 030 118.', topic: contentTerms('Director Ole Lund') };
  const others = [plain('Ole Lund is the director.')];
  expect(lacksSubject('phone number of director Lund?', best, others)).toBe(false);
});
