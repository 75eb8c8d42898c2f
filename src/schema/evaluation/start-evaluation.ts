import { z } from 'zod';
import { startEvaluation } from '../../domain/evaluation/evaluation-runs.ts';
import { isId } from '../../platform/ids.ts';
import { builder } from '../builder.ts';
import {
  fieldsSchema,
  nonBlankText,
  optionalInteger,
  optionalNumber,
  optionalText,
} from '../input-rules.ts';
import { expectedProject } from '../organizations/expected-project.ts';
import { EvaluationRun } from './evaluation-run.ts';

const CandidateInput = builder.inputType('EvaluationCandidateInput', {
  description: 'Settings of the assistant to try. Omitted settings are those of the project.',
  validate: fieldsSchema({
    instructions: optionalText(10_000),
    answerThreshold: optionalNumber(0, 1),
    contextChunks: optionalInteger(1, 1_000),
    chatModel: nonBlankText(255).nullish(),
    embeddingModel: nonBlankText(255).nullish(),
    withoutDocumentIds: z
      .array(z.string().refine(isId, 'must be a UUID'))
      .max(100, 'must have at most 100 entries')
      .nullish(),
  }),
  fields: (t) => ({
    instructions: t.string({ description: 'At most 10,000 characters.' }),
    answerThreshold: t.float({
      description: 'Confidence from which the assistant answers, 0 to 1.',
    }),
    contextChunks: t.int({
      description: 'Maximum number of chunks that the language model receives.',
    }),
    chatModel: t.string({ description: 'Another chat model of the same model server.' }),
    embeddingModel: t.string({
      description:
        'Another embedding model: the built-in one, or a model of the model server. The run first embeds all chunks, at most 20,000.',
    }),
    withoutDocumentIds: t.idList({ description: 'Documents to leave out, at most 100.' }),
  }),
});

const StartEvaluationInput = builder.inputType('StartEvaluationInput', {
  fields: (t) => ({
    projectId: t.id(expectedProject('set')),
    setId: t.id({ required: true }),
    candidate: t.field({ type: CandidateInput }),
    judgeByModel: t.boolean({
      description:
        'Whether the language model of the installation judges the answers, too. Needs a language model. Default: false.',
    }),
  }),
});

builder.mutationFields((t) => ({
  startEvaluation: t.field({
    type: EvaluationRun,
    description:
      "Starts a run of a question set, against the project as it is or with other settings. Each question uses one of the plan's evaluated questions, and no message. If they are used up during the run, it fails and keeps its results. It stores no conversation, and sends no webhook. One run of a set at a time. Needs `EVALUATION_WRITE`.",
    args: { input: t.arg({ type: StartEvaluationInput, required: true }) },
    authScopes: { permission: 'evaluation:write' },
    resolve: (_root, { input }, context) => startEvaluation(context, input),
  }),
}));
