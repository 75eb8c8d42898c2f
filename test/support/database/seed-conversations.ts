import type { GraphqlClient } from '../api/graphql-client.ts';
import { inputMutation } from '../api/input-mutation.ts';

/** Creates conversations that have questions, ratings and handoffs. */
export async function seedConversations(
  ines: GraphqlClient,
  ravi: GraphqlClient,
  projectId: string,
  rewriteText: (text: string) => string,
) {
  const ask = async (endUserId: string | null, messages: readonly string[]) => {
    let answer: { conversationId: string; messageId: string } | null = null;
    for (const message of messages) {
      const input: Record<string, unknown> = { projectId, message: rewriteText(message) };
      if (answer !== null) input.conversationId = answer.conversationId;
      else if (endUserId !== null) input.endUserId = rewriteText(endUserId);
      answer = (
        await ines.data<{ sendMessage: { conversationId: string; messageId: string } }>(
          inputMutation('sendMessage', 'conversationId messageId'),
          { input },
        )
      ).sendMessage;
    }
    if (answer === null) throw new Error('No message to send');
    return answer;
  };
  const rate = (messageId: string, rating: string, comment: string | null) =>
    ines.data(inputMutation('giveFeedback', 'rating'), {
      input: {
        projectId,
        messageId,
        rating,
        ...(comment !== null && { comment: rewriteText(comment) }),
      },
    });
  const handOff = async (messages: readonly string[], name: string, reason: string) => {
    const { conversationId } = await ask(`guest-${name.toLowerCase()}`, messages);
    const { requestHandoff } = await ines.data<{ requestHandoff: { id: string } }>(
      inputMutation('requestHandoff'),
      {
        input: {
          projectId,
          conversationId,
          name: rewriteText(name),
          email: `${name.toLowerCase()}@mail.example`,
          reason: rewriteText(reason),
        },
      },
    );
    return { conversationId, handoffId: requestHandoff.id };
  };

  for (const question of ['Do you have a swimming pool?', 'Is there a pool in the hotel?']) {
    await ask('guest-201', [question]);
  }
  const dogs = await ask('guest-305', ['Can I bring my dog?']);
  await rate(dogs.messageId, 'DOWN', 'The site says that small dogs are fine.');
  await ask(null, ['Who won the regatta last year?']);
  const breakfast = await ask('guest-114', [
    'When is breakfast on Sundays?',
    'And from Monday to Friday?',
  ]);
  await rate(breakfast.messageId, 'UP', 'Quick and right, thank you!');
  await ask('guest-210', ['How much is the family room?', 'What does late check-out cost?']);
  await ask('guest-102', ['What is the Wi-Fi password?']);
  const { conversationId } = await ask('guest-301', [
    'Where can I park my car, and what does it cost?',
    'When does the ferry to the lighthouse leave?',
  ]);

  const lost = await handOff(
    ['How long are lost items kept?'],
    'Noor',
    'I left a silver ring in room 210 and would like it sent to me.',
  );
  await ravi.data(inputMutation('claimHandoff'), { input: { handoffId: lost.handoffId } });
  await ravi.data(inputMutation('replyToConversation'), {
    input: {
      conversationId: lost.conversationId,
      content: rewriteText('Good morning, Noor. We have found it, and can post it today.'),
    },
  });
  await ravi.data(inputMutation('resolveHandoff'), { input: { handoffId: lost.handoffId } });
  const crib = await handOff(
    ['When is breakfast on Sundays?', 'Can I get a cot for my baby?'],
    'Mateo',
    'Two cots from Friday to Sunday, please.',
  );
  await ravi.data(inputMutation('claimHandoff'), { input: { handoffId: crib.handoffId } });
  await ravi.data(inputMutation('replyToConversation'), {
    input: {
      conversationId: crib.conversationId,
      content: rewriteText('Hello Mateo, that is no problem. Which name is the booking under?'),
    },
  });
  await ask(null, ['Can I cancel my booking?']);
  await handOff(['Do you host weddings?'], 'Amelie', 'We plan a wedding for 40 people in June.');
  await handOff(
    ['The room is too cold, and nobody answers the telephone.'],
    'Jonas',
    'The heating in 305 does not work.',
  );
  return {
    conversationId,
    claimedConversationId: crib.conversationId,
    ratedConversationId: lost.conversationId,
  };
}
