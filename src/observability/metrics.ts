import { Counter, Histogram, Registry } from 'prom-client';
import type { Metrics } from '../domain/metrics.ts';

/** The measures of one running service: what the domain tells them, and the registry they are read from. */
export function createMetrics(): { readonly metrics: Metrics; readonly registry: Registry } {
  const registry = new Registry();
  const registers = [registry];

  const ingestions = new Counter({
    name: 'grounded_chat_ingestions_total',
    help: 'Tries to ingest a document by outcome: ready, failed, or retried later.',
    labelNames: ['outcome'],
    registers,
  });
  const ingestionSeconds = new Histogram({
    name: 'grounded_chat_ingestion_duration_seconds',
    help: 'How long one try to ingest a document took.',
    labelNames: ['outcome'],
    buckets: [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600],
    registers,
  });
  const modelCalls = new Counter({
    name: 'grounded_chat_model_calls_total',
    help: 'Calls of a model by operation (answer, rewrite, embed, rerank) and outcome: succeeded, failed, or stopped by us.',
    labelNames: ['operation', 'model', 'outcome'],
    registers,
  });
  const modelCallSeconds = new Histogram({
    name: 'grounded_chat_model_call_duration_seconds',
    help: 'How long a call of a model took, retries included; of an answer until its last word.',
    labelNames: ['operation', 'model'],
    buckets: modelBuckets,
    registers,
  });
  const firstTextSeconds = new Histogram({
    name: 'grounded_chat_model_first_text_seconds',
    help: 'From the call of the chat model to the first text of its answer.',
    labelNames: ['model'],
    buckets: modelBuckets,
    registers,
  });
  const tokens = new Counter({
    name: 'grounded_chat_model_tokens_total',
    help: 'Tokens by kind: input and output of a chat model, embedding.',
    labelNames: ['model', 'kind'],
    registers,
  });

  const metrics: Metrics = {
    ingestionEnded(outcome, seconds) {
      const labels = { outcome: outcome.toLowerCase() };
      ingestions.inc(labels);
      ingestionSeconds.observe(labels, seconds);
    },
    modelCallEnded({ operation, model, outcome, seconds }) {
      modelCalls.inc({ operation, model, outcome: outcome.toLowerCase() });
      modelCallSeconds.observe({ operation, model }, seconds);
    },
    firstTextCame: (model, seconds) => firstTextSeconds.observe({ model }, seconds),
    tokensUsed: (model, kind, count) => tokens.inc({ model, kind }, count),
  };
  return { metrics, registry };
}

const modelBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
