import { formatCountOf, formatPercent } from '../../format/format-numbers.ts';
import type { Hit, Trace } from './trace-query.ts';

type Reason = Trace['decision']['reasons'][number];

/** Why an answer has its text, and what may change it. `advice` is null if there is nothing to do. */
export interface Explanation {
  readonly text: string;
  readonly advice: string | null;
}

const addDocument = 'Add a document that answers the question.';
const checkModel = 'Settings, Models shows whether the model works.';

const explanations: Readonly<Record<Reason, Explanation>> = {
  ANSWERED: { text: 'The passages below answered the question.', advice: null },
  NOT_SUPPORTED: {
    text: 'No passage supports a sentence of the answer, so it has no source.',
    advice: addDocument,
  },
  CUT_OFF: {
    text: 'The answer was cut where the model reached its output limit.',
    advice: 'Raise the limit in Settings, Answers.',
  },
  PROMPT_LEAK: {
    text: 'The model repeated its instructions. The answer was cut there.',
    advice: null,
  },
  NO_HITS: { text: 'The search found nothing.', advice: addDocument },
  BELOW_THRESHOLD: {
    text: 'The search found nothing that answers the question with enough confidence.',
    advice: `${addDocument} If a passage below does answer it, lower the threshold in Settings, Answers.`,
  },
  MODEL_REFUSED: {
    text: 'The model did not find the answer in the passages below.',
    advice: `${addDocument} If a passage below does answer it, connect another model.`,
  },
  SMALL_TALK: {
    text: 'The message was small talk, so nothing was searched.',
    advice: 'The replies to small talk are in Settings, Answers.',
  },
  HUMAN_REQUEST: { text: 'The end user asked for a person.', advice: null },
  MODEL_FAILED: {
    text: 'The model did not answer, or its response was invalid.',
    advice: checkModel,
  },
  FAILED: { text: 'The answer failed. The log of the service has the error.', advice: null },
  STOPPED: { text: 'The answer was stopped, or its reader left.', advice: null },
};

/** Explains an answer in sentences, the most important first. */
export function explain({ decision: { reasons, confidence, threshold } }: Trace): Explanation[] {
  return reasons.map((reason) => {
    const explanation = explanations[reason];
    if (reason !== 'BELOW_THRESHOLD' || confidence === null || threshold === null)
      return explanation;
    const text = `The confidence was ${formatPercent(confidence)}. The assistant answers from ${formatPercent(threshold)}.`;
    return { ...explanation, text };
  });
}

const unusedTexts: Readonly<Record<NonNullable<Hit['reason']>, string>> = {
  BELOW_CUTOFF: 'much less relevant than the best passage',
  NO_ROOM: 'better passages had filled the space',
  DUPLICATE: 'nearly the same text as another passage',
  NOT_ANSWERED: 'chosen, but the model was not asked',
};

/** Returns why the model did not receive a passage. Null if it did. */
export function describeUnused({ reason }: Hit): string | null {
  return reason === null ? null : unusedTexts[reason];
}

export const stepTexts: Readonly<Record<Trace['timings'][number]['step'], string>> = {
  START: 'Store the question',
  REPLY: 'Reply to small talk',
  UNDERSTAND: 'Understand the question',
  RETRIEVE: 'Search',
  READ: 'Choose passages',
  DECIDE: 'Decide',
  WRITE: 'Write',
  JUDGE: 'Check the sources',
};

const purposeTexts: Readonly<Record<Trace['modelCalls'][number]['purpose'], string>> = {
  REWRITE: 'rewrote the question',
  EMBED: 'compared meanings',
  RERANK: 'ranked the passages',
  ANSWER: 'wrote the answer',
  REPLY: 'wrote the reply',
};

/** Says what a call of a model was for and what it used: `wrote the answer, 812 tokens in, 40 out, 2 tries`. */
export function describeCall(call: Trace['modelCalls'][number]): string {
  const { purpose, inputTokens, outputTokens, tries } = call;
  const parts = [purposeTexts[purpose]];
  if (inputTokens > 0) parts.push(`${formatCountOf(inputTokens, 'token')} in`);
  if (outputTokens > 0) parts.push(`${formatCountOf(outputTokens, 'token')} out`);
  if (tries > 1) parts.push(`${tries} tries`);
  return parts.join(', ');
}

const filteredTexts: Readonly<Record<Trace['filtered'][number]['kind'], [string, string]>> = {
  LINK: ['link', 'without a source'],
  CITATION_MARKER: ['citation marker', 'without a source'],
  HTML_TAG: ['HTML tag', 'made harmless'],
  CONTROL_CHARACTER: ['unsafe character', ''],
  PROMPT_LEAK: ['passage', 'of the instructions'],
};

/** Says what was removed from the answer: `2 links without a source`. */
export function describeFiltered({ kind, count }: Trace['filtered'][number]): string {
  const [noun, rest] = filteredTexts[kind];
  return `${formatCountOf(count, noun)} ${rest}`.trimEnd();
}
