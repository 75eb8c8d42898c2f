import { z } from 'zod';
import { hasAtMostCodePoints } from '../../text/text-rules.ts';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import type { RestCall } from '../request/rest-call.ts';
import { OpenAiRequestError } from './openai-error.ts';
import { endUser, requestText } from './request-fields.ts';

const maxTextLength = 32_000;

const embeddedText = requestText
  .refine((text) => text.trim() !== '', 'must not be blank')
  .refine(hasAtMostCodePoints(maxTextLength), `must be at most ${maxTextLength} characters`);

/** Body of `POST /v1/embeddings`. */
export const embeddingsRequest = z.strictObject({
  model: z.string(),
  input: z
    .union([z.string().transform((text) => [text]), z.array(z.string())], {
      error: 'must be a text or a list of texts: tokens are not supported',
    })
    .pipe(
      z.array(embeddedText).min(1, 'must not be empty').max(256, 'must have at most 256 texts'),
    ),
  encoding_format: z.enum(['float', 'base64']).default('float'),
  dimensions: z.int().min(1).optional(),
  user: endUser,
});

/** Embeds texts with the model of the project's documents. */
export async function embed(
  call: RestCall,
  projectId: string,
  body: z.infer<typeof embeddingsRequest>,
): Promise<object> {
  const { input: texts, model, dimensions, encoding_format: format } = body;
  const { embedTexts } = await executeGraphql(call, embedQuery, { input: { projectId, texts } });
  const vectors = embedTexts.vectors.map(readVector);
  const size = vectors[0]?.length;
  if (dimensions !== undefined && dimensions !== size) {
    throw new OpenAiRequestError(`Invalid value for 'dimensions': the model has ${size}`, {
      param: 'dimensions',
    });
  }
  const { tokens } = embedTexts;
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      ...{ object: 'embedding', index },
      embedding: format === 'base64' ? embedTexts.vectors[index] : [...vector],
    })),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

function readVector(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  const size = bytes.length / Float32Array.BYTES_PER_ELEMENT;
  return Float32Array.from({ length: size }, (_, index) => bytes.readFloatLE(4 * index));
}

const embedQuery = graphql(
  'query embed($input: EmbedTextsInput!) { embedTexts(input: $input) { vectors tokens } }',
);
