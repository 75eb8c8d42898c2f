import { z } from 'zod';
import type { WebhookEventType } from './webhook-event-types.ts';

const uuid = '01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11';
const instant = '2026-11-21T09:30:00.000Z';

const id = (description: string) => z.uuid().meta({ description, example: uuid });
/** ISO 8601, UTC. */
const time = (description: string) => z.iso.datetime().meta({ description, example: instant });
const text = (description: string, example: string, maxLength = 20_000) =>
  z.string().max(maxLength).meta({ description, example });
const count = (description: string, example: number) =>
  z.int().min(0).meta({ description, example, format: 'int32' });
const number = (description: string, example: number) =>
  z.number().min(0).max(1e12).meta({ description, example, format: 'double' });

const ofTenant = {
  organizationId: id('Id of the organization.'),
  projectId: id('Id of the project.'),
};
const ofConversation = {
  ...ofTenant,
  conversationId: id('Id of the conversation.'),
  endUserId: text(
    'Identifier of the end user. Null if none was given.',
    'customer-4711',
  ).nullable(),
};
const ofHandoff = { ...ofConversation, handoffId: id('Id of the handoff.') };
const ofDocument = {
  ...ofTenant,
  documentId: id('Id of the document.'),
  name: text('Name of the document.', 'Returns.pdf', 255),
};
const contact = {
  email: text(
    'E-mail address of the end user. Null if not given.',
    'ada@example.com',
    254,
  ).nullable(),
  name: text('Name of the end user. Null if not given.', 'Ada', 200).nullable(),
  reason: text('Why a person was requested. Null if not given.', 'Lost key', 2000).nullable(),
};
const message = (author: string, words: string) => ({
  role: z
    .enum(['USER', 'ASSISTANT', 'AGENT', 'SYSTEM'])
    .meta({ description: 'Author of the message.', example: author }),
  content: text('Text of the message. A long text is cut and ends with `…`.', words),
  createdAt: time('Time of the message.'),
});

/** Summary and `data` fields of each event type. The TypeScript types and the OpenAPI document follow from it. */
export const webhookEvents = {
  'human.requested': {
    summary: 'A person was requested for a conversation.',
    data: z.object({
      ...ofHandoff,
      ...contact,
      requestedAt: time('Time of the request.'),
      lastMessages: z
        .array(z.object({ id: id('Id of the message.'), ...message('USER', 'I lost my key.') }))
        .max(10)
        .meta({ description: 'Latest messages of the conversation, oldest first.' }),
    }),
  },
  'handoff.updated': {
    summary: 'An end user added an e-mail address, a name or a reason to an open handoff.',
    data: z.object({ ...ofHandoff, ...contact, updatedAt: time('Time of the change.') }),
  },
  'handoff.claimed': {
    summary: 'An agent claimed a handoff, or became its owner by a transfer.',
    data: z.object({
      ...ofHandoff,
      claimedBy: text(
        'E-mail address of the agent, `key:` and the name of an API key, or `service`.',
        'grace@example.com',
      ),
      claimedAt: time('Time of the claim.'),
    }),
  },
  'handoff.resolved': {
    summary: 'A handoff was resolved or returned to the assistant.',
    data: z.object({ ...ofHandoff, resolvedAt: time('Time of the end.') }),
  },
  'handoff.rated': {
    summary: 'An end user rated the agent who resolved a handoff, or changed the rating.',
    data: z.object({
      ...ofHandoff,
      agent: text(
        'Who resolved the handoff: the e-mail address of the agent, `key:` and the name of an API key, or `service`.',
        'grace@example.com',
      ),
      rating: z
        .int()
        .min(1)
        .max(5)
        .meta({ description: '1 (very dissatisfied) to 5 (very satisfied).', example: 5 }),
      comment: text(
        'Comment of the end user on the rating. Null if none was given.',
        'Solved in five minutes.',
        2000,
      ).nullable(),
      ratedAt: time('Time of the first rating, also after a change.'),
    }),
  },
  'message.created': {
    summary: 'An agent replied to a conversation.',
    data: z.object({
      ...ofConversation,
      messageId: id('Id of the message.'),
      ...message('AGENT', 'We found your key.'),
    }),
  },
  'document.ready': {
    summary: 'A document can be searched.',
    data: z.object({
      ...ofDocument,
      chunkCount: count('Number of chunks.', 42),
      tokenCount: count('Number of tokens.', 12_840),
      processedAt: time('End of processing.'),
    }),
  },
  'document.failed': {
    summary: 'A document could not be processed.',
    data: z.object({
      ...ofDocument,
      error: z
        .object({
          code: text('Error code of the document.', 'ENCRYPTED', 64),
          message: text('What is wrong, and what to do.', 'The file needs a password.'),
        })
        .meta({ description: 'Why the document is `FAILED`.' }),
      processedAt: time('End of processing.'),
    }),
  },
  'document.updated': {
    summary: 'The content or a detail of a document changed.',
    data: z.object({
      ...ofDocument,
      externalId: text('Your id of the document, or null.', 'article-17', 255).nullable(),
      status: z
        .enum(['PROCESSING', 'READY', 'FAILED'])
        .meta({ description: 'Status after the change.', example: 'READY' }),
      version: count('Version of the content, from 1.', 2),
      changes: z.array(z.string()).meta({
        description: 'What has changed: `content`, or names of fields.',
        example: ['name', 'tags'],
      }),
      updatedAt: time('Time of the change.'),
    }),
  },
  'source.synced': {
    summary: 'A run of a source has ended.',
    data: z.object({
      ...ofTenant,
      sourceId: id('Id of the source.'),
      runId: id('Id of the run.'),
      kind: text('Kind of the source.', 'WEBSITE', 64),
      name: text('Name of the source.', 'Help centre', 255),
      added: count('Number of new documents.', 3),
      changed: count('Number of documents with new content.', 1),
      removed: count('Number of deleted documents.', 0),
      unchanged: count('Number of documents without a change.', 96),
      refused: count(
        'Number of pages and files that did not become documents, or could not be read.',
        2,
      ),
      error: text(
        'Why the documents may differ from the source, or null.',
        'The site did not respond.',
      ).nullable(),
      startedAt: time('Start of the run.'),
      finishedAt: time('End of the run.'),
    }),
  },
  'budget.warning': {
    summary: 'A project has used a share of its monthly budget. Sent once a month for each share.',
    data: z.object({
      ...ofTenant,
      month: text('The month (UTC).', '2026-11', 7),
      percent: count('The share in percent: that of the budget, or 100.', 80),
      spent: text(
        'What the project cost in the month until now, with 6 decimals.',
        '83.120000',
        40,
      ),
      budget: text('The budget of the month, with 6 decimals.', '100.000000', 40),
      currency: text('ISO 4217 code of the prices.', 'EUR', 3),
    }),
  },
  'evaluation.regressed': {
    summary: 'A scheduled run of a question set is outside a bound, or has failed.',
    data: z.object({
      ...ofTenant,
      setId: id('Id of the question set.'),
      setName: text('Name of the question set.', 'Front desk', 255),
      setVersion: count('Version of the set that the run asked, from 1.', 3),
      runId: id('Id of the run.'),
      failedBounds: z
        .array(
          z.object({
            figure: text('Name of the figure.', 'recallAt5', 40),
            bound: number('The least good value that it may have.', 0.95),
            value: number('Value of the figure in the run.', 0.91),
          }),
        )
        .meta({
          description: 'Figures that are worse than their bounds. Empty if the run has failed.',
        }),
      error: text(
        'Why the run has failed, or null.',
        'The run took longer than 24 hours',
      ).nullable(),
      finishedAt: time('End of the run.'),
    }),
  },
} satisfies Record<WebhookEventType, { readonly summary: string; readonly data: z.ZodObject }>;

/** The `data` of each event type. */
export type WebhookEventData = {
  readonly [Type in WebhookEventType]: z.infer<(typeof webhookEvents)[Type]['data']>;
};
