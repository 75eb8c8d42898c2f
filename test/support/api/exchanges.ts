import { newId } from '../../../src/platform/ids.ts';
import type { TestService } from '../service.ts';

const now = Date.now();
export const hoursAgo = (hours: number) => new Date(now - hours * 3_600_000);

export interface Exchange {
  readonly question: string;
  readonly confidence?: number;
  readonly status?: 'COMPLETED' | 'STOPPED' | 'FAILED' | 'GENERATING';
  readonly hours?: number;
  readonly endUserId?: string;
}

/** Stores questions with their answers. Each pair is in a conversation of its own. */
export async function storeExchanges(
  service: TestService,
  projectId: string,
  exchanges: readonly Exchange[],
) {
  const rows = exchanges.map(
    ({
      question,
      confidence = 0.1,
      status = 'COMPLETED' as const,
      hours = 1,
      endUserId = null,
    }) => {
      const conversationId = newId();
      const createdAt = hoursAgo(hours);
      const common = { conversationId, projectId, createdAt };
      return {
        conversation: { id: conversationId, projectId, title: question.slice(0, 80), endUserId },
        question: { id: newId(), ...common, position: 1, role: 'USER', content: question } as const,
        answer: {
          ...{ id: newId(), ...common, position: 2, role: 'ASSISTANT' as const },
          ...{ content: 'An answer', confidence, status },
        },
      };
    },
  );
  const { db } = service.system;
  await db.conversation.createMany({ data: rows.map(({ conversation }) => conversation) });
  await db.message.createMany({ data: rows.flatMap(({ question, answer }) => [question, answer]) });
  return rows.map(({ conversation, question, answer }) => ({
    conversationId: conversation.id,
    questionId: question.id,
    answerId: answer.id,
  }));
}
