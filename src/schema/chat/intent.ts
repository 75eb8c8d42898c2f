import { Intent as Intents } from '../../platform/postgres/generated/prisma/enums.ts';
import { builder } from '../builder.ts';

export const Intent = builder.enumType('Intent', {
  description: 'Kind of small talk. It is answered without the documents.',
  values: {
    [Intents.GREETING]: { description: 'Greets, or asks how the assistant is.' },
    [Intents.THANKS]: { description: 'Thanks, or agrees with the answer.' },
    [Intents.GOODBYE]: { description: 'Ends the conversation.' },
    [Intents.IDENTITY]: { description: 'Asks who the assistant is.' },
    [Intents.HELP]: { description: 'Asks what the assistant can do.' },
    [Intents.HUMAN]: { description: 'Asks for a person.' },
    [Intents.COMPLAINT]: { description: 'A complaint without a question.' },
    [Intents.GIBBERISH]: { description: 'Text without a meaning.' },
  },
});
