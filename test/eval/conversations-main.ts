import { parseArgs } from 'node:util';
import { readConversationSet } from './conversation-set.ts';
import { countGood, evaluateConversations, formatFailures } from './evaluate-conversation.ts';
import { withEvaluation } from './evaluation-context.ts';

const usage = `npm run eval:conversations -- [options]

  --only TEXT         only conversations whose id contains TEXT, such as follow-up
  --database URL      Postgres with pgvector (default: an embedded database)
  --keep DIR          keep the embedded database and files there, and use again what was ingested before

Holds the conversations in test/eval/conversations and prints good and total per category, and the replies that are not
good. Models are those of the environment, else the built-in ones.`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    database: { type: 'string' },
    keep: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help) process.stdout.write(`${usage}\n`);
else await main();

async function main(): Promise<void> {
  const { sites, conversations } = await readConversationSet();
  const chosen = conversations.filter(({ id }) => id.includes(values.only));
  const results = await withEvaluation(values, (context, organizationId) =>
    evaluateConversations(context, organizationId, { sites, conversations: chosen }),
  );
  process.stdout.write(`${formatFailures(results)}\n\n`);
  for (const [category, { good, total }] of countGood(results)) {
    process.stdout.write(`${category.padEnd(14)}${good}/${total}\n`);
  }
}
