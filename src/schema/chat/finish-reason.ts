import { FinishReason as FinishReasons } from '../../platform/postgres/generated/prisma/enums.ts';
import { builder } from '../builder.ts';

export const FinishReason = builder.enumType('FinishReason', {
  description: 'Why the chat model stopped writing an answer.',
  values: {
    [FinishReasons.STOP]: { description: 'The answer is complete.' },
    [FinishReasons.LENGTH]: {
      description: 'The model reached its output limit, so the answer is cut off.',
    },
    [FinishReasons.REFUSAL]: {
      description:
        'The model did not find the answer in the context chunks, or it declined to answer.',
    },
  },
});
