import type { Language } from '../../../text/detect-language.ts';
import { detectIntent } from '../../../text/intents/detect-intent.ts';
import type { Intent } from '../../../text/intents/intent.ts';
import type { Context } from '../../context.ts';
import { outOfHoursMessageAt } from '../../handoff/holding-message.ts';
import { requestHandoff } from '../../handoff/request-handoff.ts';
import type { Project } from '../../organizations/find-project.ts';
import type { RecordStep } from '../answer-draft.ts';
import { startAnswerStep } from '../traces/answer-span.ts';
import { builtInReplies, languageOfHistory } from './built-in-replies.ts';
import { type SmallTalkTurn, wordReply } from './word-reply.ts';

/**
 * Answers a message that contains only small talk, without retrieval or citations and with confidence 0. Records each
 * step. If the message is a question, records nothing and returns false.
 *
 * The reply is the project's text. If the project has none, the chat model rephrases the built-in text. If there is no
 * language model, or the model fails, the reply is the built-in text.
 */
export async function answerSmallTalk(
  context: Context,
  input: SmallTalkTurn,
  record: RecordStep,
): Promise<boolean> {
  const { question, history } = input;
  const { intent, language } = detectIntent(question, languageOfHistory(history));
  if (intent === null) return false;
  startAnswerStep(context, 'REPLY');
  record({ type: 'progress', intent });
  record({ type: 'sources', citations: [], confidence: 0 });
  const text = await replyTo(context, input, { intent, language }, record);
  context.signal.throwIfAborted();
  record({ type: 'delta', text });
  return true;
}

async function replyTo(
  context: Context,
  input: SmallTalkTurn,
  { intent, language }: { readonly intent: Intent; readonly language: Language },
  record: RecordStep,
): Promise<string> {
  const { project } = input;
  if (intent === 'HUMAN' && (await isHandoffOpen(context, input))) {
    const builtIn = builtInReplies[language].handoffRequested;
    return outOfHoursMessageAt(project, new Date()) ?? project.holdingText ?? builtIn;
  }
  const builtIn = builtInReplies[language][intent];
  return project[textFields[intent]] ?? (await wordReply(context, input, builtIn, record));
}

/** Fields of the project that replace the built-in texts. */
const textFields = {
  GREETING: 'greetingText',
  THANKS: 'thanksText',
  GOODBYE: 'goodbyeText',
  IDENTITY: 'identityText',
  HELP: 'helpText',
  HUMAN: 'humanText',
  COMPLAINT: 'complaintText',
  GIBBERISH: 'gibberishText',
} as const satisfies Record<Intent, keyof Project>;

/** Requests a handoff if the project has enabled this. Returns true if the conversation waits for the team. */
async function isHandoffOpen(context: Context, { project, turn }: SmallTalkTurn): Promise<boolean> {
  const { id: projectId } = project;
  const { conversationId } = turn;
  if (project.humanRequest === 'START') {
    await requestHandoff(context, { projectId, conversationId });
    return true;
  }
  const where = { projectId, conversationId, status: 'REQUESTED' } as const;
  return (await context.db.handoff.findFirst({ where, select: { id: true } })) !== null;
}
