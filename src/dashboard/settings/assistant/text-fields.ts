/** Texts of the assistant that operators can edit. If a field is empty, the default text applies. */
export const textFields = {
  instructions: {
    label: 'Instructions',
    description: 'Tone and rules for the assistant, for example which company it represents.',
    max: 8_000,
  },
  fallbackText: {
    label: 'Fallback answer',
    description: 'Sent when the documents do not contain the answer. Empty: default text.',
    max: 2_000,
  },
  holdingText: {
    label: 'Holding message',
    description:
      'Sent once when the end user writes while an agent has the conversation. Empty: default text.',
    max: 2_000,
  },
  outOfHoursText: {
    label: 'Out-of-hours message',
    description:
      'Outside business hours, replaces the holding message, and is shown in the widget before a visitor contacts the team. Empty: default text.',
    max: 2_000,
  },
  greetingText: { label: 'Greeting', description: '“Hello”', max: 2_000 },
  thanksText: { label: 'Thanks', description: '“Thank you”', max: 2_000 },
  goodbyeText: { label: 'Goodbye', description: '“Bye”', max: 2_000 },
  identityText: { label: 'Who are you', description: '“Are you a bot?”', max: 2_000 },
  helpText: { label: 'What can you do', description: '“Can you help me?”', max: 2_000 },
  humanText: {
    label: 'Request for a person',
    description: '“I want to talk to a human”',
    max: 2_000,
  },
  complaintText: { label: 'Complaint', description: '“This is useless”', max: 2_000 },
  gibberishText: { label: 'No meaning', description: '“asdkjh”', max: 2_000 },
} as const;

export type TextFieldName = keyof typeof textFields;

export const textFieldNames = Object.keys(textFields) as TextFieldName[];

/** Replies to small talk, in the order of the form. */
export const smallTalkFieldNames = [
  'greetingText',
  'thanksText',
  'goodbyeText',
  'identityText',
  'helpText',
  'humanText',
  'complaintText',
  'gibberishText',
] as const satisfies TextFieldName[];

/** Counts code points after NFC normalization, as the service does. */
const characterCount = (text: string) => [...text.normalize('NFC')].length;

export const validateLength = (name: TextFieldName) => (text: string) =>
  characterCount(text) > textFields[name].max ? `At most ${textFields[name].max} characters` : null;

/**
 * Returns the length and the limit as a text if more than 80 % of the limit is used. Otherwise returns an empty text.
 */
export function formatLength(text: string, max: number): string {
  const length = characterCount(text);
  return length > 0.8 * max ? ` ${length} of ${max} characters.` : '';
}
