import { Intent } from '../../platform/postgres/generated/prisma/enums.ts';

export { Intent };

/** All intents. If a message has several intents, the first of them in this list is used. */
export const intents = [
  Intent.HUMAN,
  Intent.COMPLAINT,
  Intent.IDENTITY,
  Intent.HELP,
  Intent.GOODBYE,
  Intent.THANKS,
  Intent.GREETING,
  Intent.GIBBERISH,
] as const;
