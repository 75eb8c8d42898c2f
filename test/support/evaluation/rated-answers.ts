import { newId } from '../../../src/platform/ids.ts';
import type { Prisma } from '../../../src/platform/postgres/generated/prisma/client.ts';
import type { FeedbackRating } from '../../../src/platform/postgres/generated/prisma/enums.ts';
import type { TestService } from '../service.ts';

type AnswerFields = Partial<
  Omit<Prisma.MessageCreateManyInput, 'id' | 'projectId' | 'conversationId'>
>;

/** An answer with these fields and its rating. If the rating is null, the answer has none. */
export type RatedAnswer = AnswerFields & { readonly rating: FeedbackRating | null };

/**
 * Stores a conversation with these answers. A model has written them, and their confidence is that of the search, unless
 * the fields say otherwise.
 */
export async function addRatedAnswers(
  { system: { db } }: Pick<TestService, 'system'>,
  projectId: string,
  answers: readonly RatedAnswer[],
): Promise<void> {
  const conversationId = newId();
  await db.conversation.create({ data: { id: conversationId, projectId, title: 'Rated answers' } });
  const rows = answers.map(({ rating, ...fields }, index) => ({
    rating,
    message: {
      ...{ role: 'ASSISTANT' as const, content: 'An answer.', model: 'a-model' },
      ...{ confidence: fields.retrievalConfidence, ...fields },
      ...{ id: newId(), projectId, conversationId, position: 2 * index + 2 },
    },
  }));
  await db.message.createMany({
    data: rows.flatMap(({ message }) => [
      {
        ...{ id: newId(), projectId, conversationId, position: message.position - 1 },
        ...{ role: 'USER' as const, content: 'A question?', createdAt: message.createdAt },
      },
      message,
    ]),
  });
  await db.messageFeedback.createMany({
    data: rows.flatMap(({ rating, message }) =>
      rating === null
        ? []
        : [{ messageId: message.id, projectId, rating, updatedAt: message.createdAt }],
    ),
  });
}
