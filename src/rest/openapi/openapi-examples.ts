/** Example ids. The id of a thing is the same wherever it is shown. */
const ids: Readonly<Record<string, string>> = {
  chunk: '01980a3b-2d44-7f02-9a31-4c5d6e7f8091',
  conversation: '01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11',
  delivery: '01980a3e-2b3c-7d4e-8f50-6b7c8d9e0f1a',
  document: '01980a3b-2c10-7b66-b0f4-7a8e9d0c1b2a',
  endpoint: '01980a3e-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  event: '01980a3e-2b3b-7a1c-9d2e-3f4a5b6c7d8e',
  handoff: '01980a3d-0b11-7c42-8d55-6e7f80912a3b',
  key: '01980a3f-3c4d-7e5f-8a61-7c8d9e0f1a2b',
  message: '01980a3c-7d60-7e11-8c45-9b1a2c3d4e5f',
  note: '01980a3e-5c21-7b11-8f3a-2a6d9c4e7b10',
  organization: '01980a3b-0c11-7d3e-8f20-1a2b3c4d5e6f',
  project: '01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e20',
  question: '01980a40-7d1a-7b52-9c1e-4b0f6a2d8e32',
  run: '01980a41-0b6c-7d4e-8f90-1a2b3c4d5e6f',
  set: '01980a40-7d1a-7b52-9c1e-4b0f6a2d8e31',
  source: '01980a3f-5b6c-7d8e-9f01-2a3b4c5d6e7f',
  webhook: '01980a3e-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
};

/** Returns an example id of a thing, such as `setId` or `QuestionSet`. The last word of its name says what it is. */
export function exampleId(name: string): string {
  const word =
    name
      .replace(/Id$/, '')
      .split(/(?=[A-Z])/)
      .at(-1) ?? '';
  return ids[word.toLowerCase()] ?? '01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a12';
}

/** Returns an example time. Among the fields of one object, a start is before its end, and an expiry is after both. */
export function exampleTime(property: string): string {
  if (/expires|next|due|until/i.test(property)) return '2026-11-22T09:30:00.000Z';
  const isEnd = /finished|processed|updated|rated|last/i.test(property);
  return isEnd ? '2026-11-21T09:31:10.000Z' : '2026-11-21T09:30:00.000Z';
}

/** Returns a number that fits the name of a field. */
export function exampleInteger(property: string): number {
  if (/tokens$/i.test(property)) return 1_210;
  if (/Ms$/.test(property)) return 380;
  if (/offset$/i.test(property)) return 1_204;
  const ofQuota: Readonly<Record<string, number>> = {
    limit: 10_000,
    used: 1_204,
    remaining: 8_796,
  };
  return ofQuota[property] ?? 12;
}

/** Returns whether a field is usually true. */
export function exampleBoolean(property: string): boolean {
  return !/^(?:is(?!Enabled)|must|refused)/.test(property);
}

/** Returns limits and an example of a figure of evaluation. Figures are shares, except times and numbers of tokens. */
export function figureFacts(figure: string) {
  if (figure.endsWith('Ms')) return { minimum: 0, maximum: 1e12, example: 420 };
  if (figure === 'tokens') return { minimum: 0, maximum: 1e12, example: 184_201 };
  const isLow = figure === 'refusedWrongly' || figure.startsWith('calibrationError');
  return { minimum: 0, maximum: 1, example: isLow ? 0.05 : 0.9 };
}

/** Returns the words of a name: "question set" for `QuestionSet`. */
export function wordsOf(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
