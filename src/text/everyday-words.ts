import { mayBeEnglish } from './detect-language.ts';
import { fold } from './tokenize.ts';

/**
 * Replaces everyday words and phrasal verbs of a query by words of the texts that have the same meaning. "call off a
 * booking" becomes "cancel a booking" if the texts contain "cancel" and not "call off". Works for British and American
 * English only.
 */
export function withWordsOf(query: string, texts: readonly string[]): string {
  if (!everydayPattern.test(query) || !mayBeEnglish(query)) return query;
  const text = fold(texts.join('\n'));
  const has = (phrase: string) => phrasePatterns.get(phrase)?.test(text) ?? false;
  return query.replace(replacePattern, (found) => {
    const words = meanings.get(normalize(found)) ?? [];
    return has(normalize(found)) ? found : (words.find(has) ?? found);
  });
}

function normalize(phrase: string): string {
  return fold(phrase).replace(/\s+/g, ' ');
}

/**
 * Each line contains an everyday word or phrase, and then the words that documents use instead. The most frequent word
 * comes first.
 */
const meanings: ReadonlyMap<string, readonly string[]> = new Map(
  `
  call off: cancel
  get rid of: remove, delete, uninstall, dispose
  set up: configure, install
  put in: install, enter, submit
  send back: return
  give back: return
  hand in: submit
  fill in: complete
  fill out: complete
  put off: postpone, defer, delay
  get in touch: contact
  get hold of: contact, reach
  rep: representative
  reps: representatives
  ring up: call, phone
  ring: call, phone
  turn off: disable, deactivate
  switch off: disable, deactivate
  turn on: enable, activate
  switch on: enable, activate
  sign up: register, enroll, enrol
  give up: cancel, terminate
  pay back: reimburse, refund, repay
  money back: refund, reimbursement
  time off: leave, vacation, holiday
  day off: leave, vacation, holiday
  days off: leave, vacation, holidays
  holiday: vacation, leave
  holidays: vacation, leave
  vacation: holiday, leave
  bill: invoice
  bills: invoices
  boss: manager, supervisor
  sacked: dismissed, terminated
  fired: dismissed, terminated
  quit: resign, leave
  wipe: delete, erase
  erase: delete, remove
  hire: rent, rental, employ
  wife: spouse, partner
  husband: spouse, partner
  kid: child, dependent
  kids: children, dependents
  doc: doctor, physician
  docs: documents, documentation, physicians
  doctor: physician
  pic: picture, photo, image
  pics: pictures, photos, images
  photo: picture, image
  photos: pictures, images
  lift: elevator
  elevator: lift
  flat: apartment
  apartment: flat
  loo: toilet, restroom, bathroom
  toilet: restroom, bathroom
  mobile: cell phone, smartphone
  cell: mobile
  car park: parking
  rubbish: waste, trash, garbage
  trash: waste, rubbish
  post: mail
  chemist: pharmacy
  glasses: spectacles, eyewear
  gym: fitness
  cash: money
  broken: defective, faulty, damaged
  stolen: theft
  fix: repair, resolve
  buy: purchase, order
  bought: purchased
  cheap: low-cost, inexpensive
  cheapest: lowest price
  biggest: largest, maximum
  get back to: reply, respond
  job: position
  wage: salary, pay
  wages: salary, pay
  password: passcode
  `
    .trim()
    .split('\n')
    .map((line) => {
      const [phrase = '', words = ''] = line.trim().split(': ');
      return [phrase, words.split(', ')] as const;
    }),
);

/** Allows words inside a phrase: "The money is on its way back" contains "money back". */
const wordsBetween = '(?:\\W{1,3}\\w{1,20}){0,4}\\W{1,3}';

/** Finds each phrase of `meanings` in a text. */
const phrasePatterns: ReadonlyMap<string, RegExp> = new Map(
  [...meanings.keys(), ...[...meanings.values()].flat()].map((phrase) => [
    phrase,
    new RegExp(`\\b${phrase.replaceAll(' ', wordsBetween)}`, 'u'),
  ]),
);

const alternatives = [...meanings.keys()]
  .sort((left, right) => right.length - left.length)
  .map((phrase) => phrase.replaceAll(' ', '\\s{1,3}'))
  .join('|');
const everydayPattern = new RegExp(`\\b(?:${alternatives})\\b`, 'iu');
const replacePattern = new RegExp(everydayPattern.source, 'giu');
