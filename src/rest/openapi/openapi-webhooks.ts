import type {
  WebhookEventData,
  WebhookEventType,
} from '../../domain/webhooks/webhook-event-types.ts';

/** The schema of a property, with an example. */
interface Property {
  readonly example?: unknown;
  readonly items?: Property;
  readonly properties?: Readonly<Record<string, Property>>;
  readonly [keyword: string]: unknown;
}

interface WebhookEvent<Type extends WebhookEventType> {
  readonly summary: string;
  readonly data: { readonly [Name in keyof WebhookEventData[Type]]: Property };
}

interface AnyEvent {
  readonly summary: string;
  readonly data: Readonly<Record<string, Property>>;
}

/**
 * Returns the requests that the service sends to webhooks, by event type, in the format of `webhooks` in OpenAPI 3.1.
 */
export function webhookOperations(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(events).map(([type, event]) => {
      const schema = { $ref: `#/components/schemas/${schemaName(type)}` };
      const example = exampleOf(eventSchema(type, event));
      const content = { 'application/json': { schema, example } };
      const post = {
        operationId: schemaName(type),
        summary: event.summary,
        description:
          'Sent to every webhook that receives this type. The headers `webhook-id`, `webhook-timestamp` and `webhook-signature` follow Standard Webhooks.',
        tags: ['Webhooks'],
        security: [],
        requestBody: { required: true, content },
        responses: {
          '204': { description: 'The event was received. Every 2xx status is success.' },
        },
      };
      return [type, { post }];
    }),
  );
}

/** Returns the schemas of the events, by their name under `components`. */
export function webhookSchemas(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(events).map(([type, event]) => [schemaName(type), eventSchema(type, event)]),
  );
}

/** Returns a schema name such as `HumanRequestedEvent`. */
function schemaName(type: string): string {
  return `${type.replace(/(?:^|\.)(\w)/g, (_all, letter: string) => letter.toUpperCase())}Event`;
}

function eventSchema(type: string, { summary, data }: AnyEvent): Property {
  return object({
    type: { type: 'string', enum: [type], example: type },
    timestamp: time('Time of the event.'),
    data: { ...object(data), description: summary },
  });
}

function exampleOf({ example, items, properties }: Property): unknown {
  if (properties !== undefined) {
    const fields = Object.entries(properties);
    return Object.fromEntries(fields.map(([name, property]) => [name, exampleOf(property)]));
  }
  return items === undefined || example !== undefined ? example : [exampleOf(items)];
}

function object(properties: Readonly<Record<string, Property>>): Property {
  return { type: 'object', required: Object.keys(properties), properties };
}

function id(description: string): Property {
  const example = '01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11';
  return { type: 'string', format: 'uuid', description, example };
}

function time(description: string): Property {
  const example = '2026-11-21T09:30:00.000Z';
  return { type: 'string', format: 'date-time', description, example };
}

function text(description: string, example: string, maxLength = 20_000): Property {
  return { type: 'string', maxLength, description, example };
}

function count(description: string, example: number): Property {
  return { type: 'integer', format: 'int32', minimum: 0, description, example };
}

function number(description: string, example: number): Property {
  return { type: 'number', format: 'double', minimum: 0, maximum: 1e12, description, example };
}

function nullable(property: Property): Property {
  return { ...property, nullable: true };
}

const ofTenant = { organizationId: id('The organization.'), projectId: id('The project.') };
const endUserId = text('Identifier of the end user. Null if none was given.', 'customer-4711');
const ofConversation = {
  ...ofTenant,
  conversationId: id('The conversation.'),
  endUserId: nullable(endUserId),
};
const ofHandoff = { ...ofConversation, handoffId: id('The handoff.') };
const ofDocument = {
  ...ofTenant,
  documentId: id('The document.'),
  name: text('Name of the document.', 'Returns.pdf', 255),
};
const role = { type: 'string', enum: ['USER', 'ASSISTANT', 'AGENT', 'SYSTEM'] };
const content = text(
  'Text of the message. A long text is cut and ends with `…`.',
  'I lost my key.',
);
const message = {
  id: id('The message.'),
  role: { ...role, description: 'Author of the message.', example: 'USER' },
  content,
  createdAt: time('Time of the message.'),
};

const contact = {
  email: nullable(text('Contact address. Null if not given.', 'ada@example.com', 254)),
  name: nullable(text('Name of the end user. Null if not given.', 'Ada', 200)),
  reason: nullable(text('Why a person was requested. Null if not given.', 'Lost key', 2000)),
};

const events: { readonly [Type in WebhookEventType]: WebhookEvent<Type> } = {
  'human.requested': {
    summary: 'A person was requested for a conversation.',
    data: {
      ...ofHandoff,
      ...contact,
      requestedAt: time('Time of the request.'),
      lastMessages: {
        type: 'array',
        maxItems: 10,
        items: object(message),
        description: 'Latest messages of the conversation, oldest first.',
      },
    },
  },
  'handoff.updated': {
    summary: 'An end user added an e-mail address, a name or a reason to an open handoff.',
    data: { ...ofHandoff, ...contact, updatedAt: time('Time of the change.') },
  },
  'handoff.claimed': {
    summary: 'An agent claimed a handoff, or became its owner by a transfer.',
    data: {
      ...ofHandoff,
      claimedBy: text(
        'E-mail address of the agent, `key:` and the name of an API key, or `service`.',
        'grace@example.com',
      ),
      claimedAt: time('Time of the claim.'),
    },
  },
  'handoff.resolved': {
    summary: 'A handoff was resolved or returned to the assistant.',
    data: { ...ofHandoff, resolvedAt: time('Time of the end.') },
  },
  'handoff.rated': {
    summary: 'An end user rated the agent who resolved a handoff, or changed the rating.',
    data: {
      ...ofHandoff,
      agent: text(
        'Who resolved the handoff: the e-mail address of the agent, `key:` and the name of an API key, or `service`.',
        'grace@example.com',
      ),
      rating: {
        type: 'integer',
        minimum: 1,
        maximum: 5,
        description: '1 (very dissatisfied) to 5 (very satisfied).',
        example: 5,
      },
      comment: nullable(
        text('What the end user adds. Null if nothing.', 'Solved in five minutes.', 2000),
      ),
      ratedAt: time('Time of the first rating, also after a change.'),
    },
  },
  'message.created': {
    summary: 'An agent replied to a conversation.',
    data: {
      ...ofConversation,
      messageId: id('The message.'),
      role: { ...message.role, example: 'AGENT' },
      content: { ...content, example: 'We found your key.' },
      createdAt: message.createdAt,
    },
  },
  'document.ready': {
    summary: 'A document can be searched.',
    data: {
      ...ofDocument,
      chunkCount: count('Number of chunks.', 42),
      tokenCount: count('Number of tokens.', 12_840),
      processedAt: time('End of processing.'),
    },
  },
  'document.failed': {
    summary: 'A document could not be processed.',
    data: {
      ...ofDocument,
      error: {
        ...object({
          code: text('Error code of the document.', 'ENCRYPTED', 64),
          message: text('What is wrong, and what to do.', 'The file needs a password.'),
        }),
        description: 'Why the document is `FAILED`.',
      },
      processedAt: time('End of processing.'),
    },
  },
  'document.updated': {
    summary: 'The content or a detail of a document changed.',
    data: {
      ...ofDocument,
      externalId: nullable(text('Your id of the document, or null.', 'article-17', 255)),
      status: {
        type: 'string',
        enum: ['PROCESSING', 'READY', 'FAILED'],
        description: 'Status after the change.',
        example: 'READY',
      },
      version: count('Version of the content, from 1.', 2),
      changes: {
        type: 'array',
        items: { type: 'string' },
        description: 'What has changed: `content`, or names of fields.',
        example: ['name', 'tags'],
      },
      updatedAt: time('Time of the change.'),
    },
  },
  'source.synced': {
    summary: 'A run of a source has ended.',
    data: {
      ...ofTenant,
      sourceId: id('The source.'),
      runId: id('The run.'),
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
      error: nullable(
        text('Why the documents may differ from the source, or null.', 'The site did not respond.'),
      ),
      startedAt: time('Start of the run.'),
      finishedAt: time('End of the run.'),
    },
  },
  'evaluation.regressed': {
    summary: 'A scheduled run of a question set is outside a bound, or has failed.',
    data: {
      ...ofTenant,
      setId: id('The question set.'),
      setName: text('Name of the set.', 'Front desk', 255),
      setVersion: count('Version of the set that the run asked, from 1.', 3),
      runId: id('The run.'),
      failedBounds: {
        type: 'array',
        maxItems: 12,
        description: 'Figures that are worse than their bounds. Empty if the run has failed.',
        items: object({
          figure: text('Name of the figure.', 'recallAt5', 40),
          bound: number('The least good value that it may have.', 0.95),
          value: number('Value of the figure in the run.', 0.91),
        }),
      },
      error: nullable(
        text('Why the run has failed, or null.', 'The run took longer than 24 hours'),
      ),
      finishedAt: time('End of the run.'),
    },
  },
};
