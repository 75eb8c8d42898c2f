import { previewAnswer, type AnswerPreview as Shape } from '../../domain/chat/preview-answer.ts';
import { findUnstoredTrace } from '../../domain/chat/traces/find-unstored-trace.ts';
import { builder } from '../builder.ts';
import { AnswerTrace } from '../conversations/answer-trace.ts';
import { fieldsSchema, nonBlankText, optionalNumber } from '../input-rules.ts';
import {
  LanguageModelSettingsInput,
  languageModelSchema,
} from '../organizations/language-model.ts';
import { Citation } from './chat.ts';

const AnswerPreview = builder.objectRef<Shape>('AnswerPreview').implement({
  description: 'An answer of the assistant that is not stored.',
  fields: (t) => ({
    content: t.exposeString('content', {
      description: 'Text of the answer. Its markers `[n]` refer to `citations`.',
    }),
    citations: t.field({
      type: [Citation],
      description: 'Chunks that the answer cites. The marker `[n]` refers to the nth of them.',
      resolve: ({ citations }) => [...citations],
    }),
    trace: t.field({
      type: AnswerTrace,
      nullable: true,
      description: 'How it came about. API keys need `analytics:read`.',
      resolve: (traced, _args, context) => findUnstoredTrace(context, traced),
    }),
    confidence: t.exposeFloat('confidence', {
      description: "Probability that the project's knowledge supports the answer, 0 to 1.",
    }),
    isAnswered: t.exposeBoolean('isAnswered', {
      description: 'Whether the documents answer the question with sufficient confidence.',
    }),
  }),
});

builder.queryField('previewAnswer', (t) =>
  t.field({
    type: AnswerPreview,
    description:
      'Answers a question as the assistant would at the start of a conversation. Stores no message and takes none from the allowance; its tokens are counted. At most 20 previews and drafts a minute per operator or key.',
    args: {
      projectId: t.arg.id({ required: true }),
      question: t.arg.string({ required: true, description: '1 to 4,000 characters.' }),
      confidenceThreshold: t.arg.float({
        description:
          'Minimum confidence for an answer to try, 0 to 1. Null: the default of the model. Default: that of the project.',
      }),
      languageModel: t.arg({
        type: LanguageModelSettingsInput,
        description:
          'Settings of the language model to try. Stores nothing. Default: those of the project.',
      }),
    },
    validate: fieldsSchema({
      question: nonBlankText(4_000),
      confidenceThreshold: optionalNumber(0, 1),
      languageModel: languageModelSchema.nullish(),
    }),
    authScopes: { permission: 'handoffs:work' },
    resolve: (_root, args, context) => previewAnswer(context, args),
  }),
);
