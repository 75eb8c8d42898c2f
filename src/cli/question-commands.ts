import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { parseQuestions } from '../domain/evaluation/parse-questions.ts';
import type { QuestionInput } from '../domain/evaluation/question-rows.ts';
import type { QuestionFormat } from '../domain/evaluation/read-question-lines.ts';
import { unknownQuestions } from '../domain/evaluation/unknown-questions.ts';
import type {
  QuestionSetRecord,
  SetQuestionRecord,
} from '../rest/evaluation/question-set-record.ts';
import { counted } from '../text/counted.ts';
import { type Command, type CommandInvocation, stringOption, UsageError } from './command.ts';
import type { EvaluationTarget } from './evaluation/evaluation-target.ts';
import {
  findSet,
  readSetName,
  requireSet,
  withEvaluationTarget,
} from './evaluation/open-target.ts';
import { restOptions } from './rest-access.ts';

const formats: ReadonlyMap<string, QuestionFormat> = new Map([
  ['.csv', 'csv'],
  ['.jsonl', 'jsonl'],
]);

export const questionCommands: Readonly<Record<string, Command>> = {
  'questions import': {
    usage: 'FILE --set NAME [--project ID] [--url URL] [--key KEY | --key-file FILE] [--replace]',
    summary:
      'Adds the questions of a CSV or JSONL file to a question set, which it creates if needed. Skips questions that the set has. With --replace, replaces the questions of the set. If a line is wrong, stores nothing.',
    options: { ...restOptions, set: stringOption, replace: { type: 'boolean' } },
    argument: 'the file',
    async run(config, call) {
      const name = readSetName(call);
      const questions = await readQuestions(call);
      const { set, added } = await withEvaluationTarget(config, call, (target) =>
        storeQuestions(target, { name, questions, replaces: call.flag('replace') }),
      );
      const alreadyThere = questions.length - added;
      const there = alreadyThere === 0 ? '' : `, ${alreadyThere} already there`;
      return {
        text: `${counted(added, 'question')} imported${there}. The set ${JSON.stringify(set.name)} has ${counted(set.questionCount, 'question')}, version ${set.version}.`,
        json: { ...set, imported: added, alreadyThere },
      };
    },
  },

  'questions export': {
    usage: '--set NAME [--project ID] [--url URL] [--key KEY | --key-file FILE]',
    summary: 'Prints the questions of a set as JSONL, in the form that questions import reads.',
    options: { ...restOptions, set: stringOption },
    async run(config, call) {
      const name = readSetName(call);
      await withEvaluationTarget(config, call, async (target) => {
        const { id } = await requireSet(target, name);
        for await (const page of target.listQuestions(id)) {
          if (page.length > 0) await call.print(page.map(writeQuestion).join('\n'));
        }
      });
      return null;
    },
  },
};

async function readQuestions({ argument: file }: CommandInvocation): Promise<QuestionInput[]> {
  const format = formats.get(extname(file).toLowerCase());
  if (format === undefined) throw new UsageError('The file must end with .csv or .jsonl');
  return parseQuestions(decodeUtf8(await readBytes(file)), format);
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`The file cannot be read: ${reason}`);
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError('The file must be UTF-8. In Excel, save it as "CSV UTF-8"');
  }
}

async function storeQuestions(
  target: EvaluationTarget,
  {
    name,
    questions,
    replaces,
  }: {
    readonly name: string;
    readonly questions: readonly QuestionInput[];
    readonly replaces: boolean;
  },
): Promise<{ readonly set: QuestionSetRecord; readonly added: number }> {
  const set = await findSet(target, name);
  const known = set === null || replaces ? null : target.listQuestions(set.id);
  const added = await unknownQuestions(questions, known);
  return { set: await store(), added: added.length };

  async function store(): Promise<QuestionSetRecord> {
    if (set === null) return target.createSet(name, added);
    if (replaces) return target.replaceQuestions(set.id, added);
    return added.length === 0 ? set : target.addQuestions(set.id, added);
  }
}

/** Omits the id, and fields without a value. */
function writeQuestion({ id: _, ...question }: SetQuestionRecord): string {
  const fields = Object.entries(question).filter(
    ([, value]) =>
      value !== null && value !== false && !(Array.isArray(value) && value.length === 0),
  );
  return JSON.stringify(Object.fromEntries(fields));
}
