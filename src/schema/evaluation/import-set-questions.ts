import {
  type QuestionImport as ImportShape,
  importSetQuestions,
} from '../../domain/evaluation/import-set-questions.ts';
import { builder } from '../builder.ts';
import { expectedProject } from '../organizations/expected-project.ts';
import { QuestionSet } from './question-set.ts';

const QuestionFormat = builder.enumType('QuestionFormat', {
  description: 'How questions are written in a file.',
  values: {
    CSV: {
      value: 'csv',
      description:
        'A table. The first row names the columns: `question` and, if needed, `expected`, `documentId`, `documentName`, `mustRefuse`, `tags`, `language` and `conversationId`. Columns are separated by commas, semicolons or tabs. In a cell, `|` separates the expected texts and the tags, `||` the alternatives of a text.',
    },
    JSONL: { value: 'jsonl', description: 'A JSON object with the same fields on each line.' },
  },
});

const ImportSetQuestionsInput = builder.inputType('ImportSetQuestionsInput', {
  fields: (t) => ({
    id: t.id({ required: true }),
    projectId: t.id(expectedProject('set')),
    format: t.field({ type: QuestionFormat, required: true }),
    text: t.string({
      required: true,
      description: 'The content of the file. At most 6 MB and 10,000 questions.',
    }),
    replaces: t.boolean({
      description: 'True: replaces the questions of the set. Default: false.',
    }),
  }),
});

const QuestionImport = builder.objectRef<ImportShape>('QuestionImport').implement({
  description: 'The result of an import of questions.',
  fields: (t) => ({
    set: t.expose('set', { type: QuestionSet }),
    imported: t.exposeInt('imported', { description: 'Number of questions that were added.' }),
    alreadyThere: t.exposeInt('alreadyThere', {
      description:
        'Number of questions that were skipped, because the set has them, or because the text repeats them.',
    }),
  }),
});

builder.mutationFields((t) => ({
  importSetQuestions: t.field({
    type: QuestionImport,
    description:
      'Adds the questions of a CSV or JSONL file to a set, and raises its version. Skips questions that the set has: case and white space do not count. If a line is wrong, nothing is stored, and each of the first 50 wrong lines has a message. Needs `EVALUATION_WRITE`.',
    args: { input: t.arg({ type: ImportSetQuestionsInput, required: true }) },
    authScopes: { permission: 'evaluation:write' },
    resolve: (_root, { input }, context) => importSetQuestions(context, input),
  }),
}));
