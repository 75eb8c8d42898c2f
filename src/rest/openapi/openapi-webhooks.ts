import { z } from 'zod';
import { webhookEvents } from '../../domain/webhooks/webhook-events.ts';
import { exampleTime } from './openapi-examples.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * Returns the requests that the service sends to webhooks, by event type, in the format of `webhooks` in OpenAPI 3.1.
 */
export function webhookOperations(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(webhookEvents).map(([type, event]) => {
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
    Object.entries(webhookEvents).map(([type, event]) => [
      schemaName(type),
      eventSchema(type, event),
    ]),
  );
}

/** Returns a schema name such as `HumanRequestedEvent`. */
function schemaName(type: string): string {
  return `${type.replace(/(?:^|\.)(\w)/g, (_all, letter: string) => letter.toUpperCase())}Event`;
}

function eventSchema(
  type: string,
  { summary, data }: { readonly summary: string; readonly data: z.ZodObject },
): JsonSchema {
  const event = z.object({
    type: z.enum([type]).meta({ example: type }),
    timestamp: z.iso
      .datetime()
      .meta({ description: 'Time of the event.', example: exampleTime('timestamp') }),
    data: data.meta({ description: summary }),
  });
  const { $schema: _, ...schema } = z.toJSONSchema(event, {
    target: 'openapi-3.0',
    io: 'input',
    override: ({ jsonSchema }) => {
      // Implied by the formats `uuid`, `date-time` and `int32`.
      delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return schema;
}

/** Returns an example that consists of the examples of the properties. */
function exampleOf({ example, items, properties }: JsonSchema): unknown {
  if (properties !== undefined) {
    const fields = Object.entries(properties);
    return Object.fromEntries(
      fields.map(([name, property]) => [name, isSchema(property) ? exampleOf(property) : null]),
    );
  }
  return example === undefined && isSchema(items) ? [exampleOf(items)] : example;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
