import { randomBytes } from 'node:crypto';
import type { ChatModel, TokenUsage } from '../../models/models.ts';
import { DomainError } from '../../platform/errors.ts';
import type { AnswerVerdict } from '../../platform/postgres/generated/prisma/enums.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { Citation } from '../conversations/citation.ts';
import { installedSettings } from '../organizations/language-model-settings.ts';
import { countTokens } from '../usage/count-tokens.ts';
import { questionQuotaExceeded, withConsumedQuestion } from '../usage/question-quota.ts';
import { chatTokens } from '../usage/token-count.ts';
import type { Expectation } from './expectation.ts';
import { buildJudgePrompt, parseVerdict, readableReason } from './judge-prompt.ts';

/** Verdict of the language model, and the tokens of its call. */
export interface ModelJudgement {
  /** Null if the model was not asked, or gave no verdict: see the reason. */
  readonly modelVerdict: AnswerVerdict | null;
  readonly modelReason: string | null;
  readonly judgeInputTokens: number;
  readonly judgeOutputTokens: number;
}

const notJudged: ModelJudgement = {
  ...{ modelVerdict: null, modelReason: null, judgeInputTokens: 0, judgeOutputTokens: 0 },
};

/** An answer whose refusal is judged already. */
interface GivenAnswer {
  readonly question: string;
  readonly expectation: Expectation;
  readonly answer: string;
  readonly citations: readonly Citation[];
  readonly refused: boolean;
}

interface Judge {
  readonly projectId: string;
  readonly organizationId: string;
  /** Null: no model judges. */
  readonly judgeModel: string | null;
}

/** Returns the name of the model that can judge answers. Null without a language model. */
export function judgeModelOf(chat: ChatModel): string | null {
  return chat.isExtractive || chat.complete === undefined ? null : chat.name;
}

/**
 * Asks a language model whether an answer is right. A `judgeModel` of null asks none. Counts the tokens of the call.
 * Code decides about refusals and about questions that must be refused. If the call fails, or the allowance of judged
 * questions is used up, there is a reason and no verdict.
 */
export async function judgeWithModel(
  context: Context,
  { projectId, organizationId, judgeModel }: Judge,
  given: GivenAnswer,
): Promise<ModelJudgement> {
  if (judgeModel === null || given.expectation.mustRefuse) return notJudged;
  if (given.refused) {
    return { ...notJudged, modelVerdict: 'WRONG', modelReason: 'The assistant did not answer' };
  }
  const passages = await readPassages(context, projectId, given.citations);
  const { question, answer, expectation } = given;
  const messages = buildJudgePrompt(
    { question, expected: expectation.expected, passages, answer },
    { boundary: randomBytes(8).toString('hex') },
  );
  const called = await withConsumedQuestion(
    context,
    { organizationId, kind: 'judged' },
    () => callJudge(context, judgeModel, messages),
    (reply) => 'failure' in reply,
  );
  if (called === null) {
    return { ...notJudged, modelReason: questionQuotaExceeded('judged').message };
  }
  if ('failure' in called) return { ...notJudged, modelReason: readableReason(called.failure) };
  const { text, usage } = called;
  await countTokens(context, projectId, chatTokens(judgeModel, usage));
  const { verdict, reason } = parseVerdict(text);
  return {
    ...{ modelVerdict: verdict, modelReason: reason },
    ...{ judgeInputTokens: usage.inputTokens, judgeOutputTokens: usage.outputTokens },
  };
}

/** Returns the reply of the model, or why there is none. */
async function callJudge(
  { models, signal, log }: Context,
  judgeModel: string,
  messages: ReturnType<typeof buildJudgePrompt>,
): Promise<{ readonly text: string; readonly usage: TokenUsage } | { readonly failure: string }> {
  const judge = configureJudge(models.chat, judgeModel);
  if (judge?.complete === undefined) return { failure: 'There is no language model' };
  try {
    return await judge.complete(messages, signal);
  } catch (error) {
    if (signal.aborted) return { failure: 'The verdict took too long' };
    if (!(error instanceof DomainError)) throw error;
    log.warn({ err: error }, 'failed to judge an answer of an evaluation run');
    return { failure: error.message };
  }
}

/** Returns the model with the name that the run has stored, without randomness if the server allows it. */
function configureJudge(chat: ChatModel, model: string): ChatModel | null {
  const installed = installedSettings(chat);
  if (installed === null || chat.configure === undefined) return chat;
  const { options, contextLimits } = installed;
  return chat.configure({ model, options: { ...options, temperature: 0 }, contextLimits });
}

/**
 * Returns the texts of the cited chunks in the order of the citations. If a chunk was replaced in the meantime, returns
 * its quote.
 */
async function readPassages(
  { db }: Context,
  projectId: string,
  citations: readonly Citation[],
): Promise<string[]> {
  const ids = [...new Set(citations.map(({ chunkId }) => chunkId))];
  const rows =
    ids.length === 0
      ? []
      : await runSql<{ id: string; content: string }>(
          db,
          'select id, content from grounded.chunks where project_id = $1::uuid and id = any($2::uuid[])',
          [projectId, ids],
        );
  const contents = new Map(rows.map(({ id, content }) => [id, content]));
  return ids.flatMap((id) => {
    const quote = citations.find(({ chunkId }) => chunkId === id)?.quote ?? null;
    const passage = contents.get(id) ?? quote;
    return passage === null ? [] : [passage];
  });
}
