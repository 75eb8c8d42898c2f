import { z } from 'zod';
import {
  areExpectedTextsShort,
  expectedTextsTooLong,
  questionLimits as limits,
} from '../../domain/evaluation/question-limits.ts';
import { maxQuestions } from '../../domain/evaluation/question-sets.ts';
import { isId } from '../../platform/ids.ts';
import { builder } from '../builder.ts';
import { nonBlankText, optionalText } from '../input-rules.ts';
import { expectedDescription } from './set-question.ts';

export const expectationSchemas = {
  expected: listOf(
    listOf(nonBlankText(limits.expectedText), limits.expectedTexts).min(1, 'must not be empty'),
    limits.expectedTexts,
  )
    .refine(areExpectedTextsShort, expectedTextsTooLong)
    .nullish(),
  documentId: z.string().refine(isId, 'must be a UUID').nullish(),
  documentName: optionalText(limits.documentName),
  tags: listOf(nonBlankText(limits.tag), limits.tags).nullish(),
  language: optionalText(limits.language),
};

const questionSchema = z.looseObject({
  question: nonBlankText(limits.question),
  ...expectationSchemas,
});

function listOf<Item extends z.ZodType>(item: Item, max: number) {
  return z.array(item).max(max, `must have at most ${max} entries`);
}

export const questionsSchema = listOf(questionSchema, maxQuestions);

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

export function expectationFields(t: InputFields) {
  return {
    expected: t.field({
      type: t.listRef(t.listRef('String')),
      description: `${expectedDescription} At most 20 items with 20 alternatives of 1,000 characters each, and 20,000 characters in total. Default: none.`,
    }),
    documentId: t.id({ description: 'The document that answers the question. Default: any.' }),
    documentName: t.string({
      description: 'Name of the documents that answer the question. Ignored with a `documentId`.',
    }),
    mustRefuse: t.boolean({
      description:
        'True: the documents do not answer the question, and the expectations are ignored. Default: false.',
    }),
    tags: t.stringList({
      description:
        'Labels, such as topics: at most 20, with 64 characters each. They do not affect answers or figures.',
    }),
    language: t.string({
      description:
        'Language code, such as `de`, at most 20 characters. It does not affect answers or figures.',
    }),
  };
}

export const SetQuestionInput = builder.inputType('SetQuestionInput', {
  fields: (t) => ({
    question: t.string({ required: true, description: '1 to 4,000 characters.' }),
    ...expectationFields(t),
    conversationId: t.id({
      description:
        'The conversation that the question was taken from. The question is erased with its end user. Default: none.',
    }),
  }),
});
