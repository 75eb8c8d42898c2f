import {
  embedTexts,
  type EmbeddedTexts as Shape,
} from '../../domain/knowledge/retrieval/embed-texts.ts';
import { builder } from '../builder.ts';
import { fieldsSchema, textList } from '../input-rules.ts';

const EmbeddedTexts = builder.objectRef<Shape>('EmbeddedTexts').implement({
  description: 'A vector for each text, and the tokens that were counted.',
  fields: (t) => ({
    model: t.exposeString('model', {
      description: 'Name of the embedding model. Vectors of different models cannot be compared.',
    }),
    vectors: t.stringList({
      description:
        'A unit vector per text, in the order of the texts: 32-bit floats in little-endian order, as base64.',
      resolve: ({ vectors }) => vectors.map(toBase64),
    }),
    tokens: t.exposeInt('tokens', {
      description: 'Tokens of all texts together, as counted in the usage.',
    }),
  }),
});

function toBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * Float32Array.BYTES_PER_ELEMENT);
  vector.forEach((value, index) => {
    bytes.writeFloatLE(value, index * Float32Array.BYTES_PER_ELEMENT);
  });
  return bytes.toString('base64');
}

const EmbedTextsInput = builder.inputType('EmbedTextsInput', {
  validate: fieldsSchema({ texts: textList(256, 32_000) }),
  fields: (t) => ({
    projectId: t.id({ description: 'Optional with a project-scoped key, otherwise required.' }),
    texts: t.stringList({
      required: true,
      description: '1 to 256 texts with at most 32,000 characters each.',
    }),
  }),
});

builder.queryField('embedTexts', (t) =>
  t.field({
    type: EmbeddedTexts,
    description:
      'Embeds texts with the model that searches use. Their tokens count in the usage of the organization.',
    args: { input: t.arg({ type: EmbedTextsInput, required: true }) },
    authScopes: { permission: 'knowledge:read' },
    resolve: (_root, { input }, context) => embedTexts(context, input),
  }),
);
