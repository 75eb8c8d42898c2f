import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Metrics } from '../../platform/metrics.ts';
import { version } from '../../platform/version.ts';

/** Creates the metrics that models and jobs record, and the Prometheus registry of the service. */
export function createMetrics(): { readonly metrics: Metrics; readonly registry: Registry } {
  const registry = new Registry();
  const registers = [registry];

  new Gauge({
    name: 'grounded_chat_build_info',
    help: 'Always 1. The label is the version of the service.',
    labelNames: ['version'],
    aggregator: 'first',
    registers,
  }).set({ version }, 1);

  new Gauge({
    name: 'grounded_chat_processes',
    help: 'Number of processes whose metrics these are: 1, or those of WEB_CONCURRENCY that have started.',
    registers,
  }).set(1);

  const ingestions = new Counter({
    name: 'grounded_chat_ingestions_total',
    help: 'Attempts to ingest a document by outcome: ready, failed, or retried later.',
    labelNames: ['outcome'],
    registers,
  });
  const ingestionSeconds = new Histogram({
    name: 'grounded_chat_ingestion_duration_seconds',
    help: 'Duration of one attempt to ingest a document.',
    labelNames: ['outcome'],
    buckets: [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600],
    registers,
  });
  const modelCalls = new Counter({
    name: 'grounded_chat_model_calls_total',
    help: 'Model calls by operation (answer, reply to small talk, rewrite, complete (verdicts of evaluation runs), embed, rerank) and outcome: succeeded, failed, or stopped by the service.',
    labelNames: ['operation', 'model', 'outcome'],
    registers,
  });
  const modelCallSeconds = new Histogram({
    name: 'grounded_chat_model_call_duration_seconds',
    help: 'Duration of a model call, retries included. An answer is measured until its last token.',
    labelNames: ['operation', 'model'],
    buckets: modelBuckets,
    registers,
  });
  const firstTextSeconds = new Histogram({
    name: 'grounded_chat_model_first_text_seconds',
    help: 'Time from the call of the chat model to its first token.',
    labelNames: ['model'],
    buckets: modelBuckets,
    registers,
  });
  const tokens = new Counter({
    name: 'grounded_chat_model_tokens_total',
    help: 'Tokens by kind: input and output of a chat model, or embedding.',
    labelNames: ['model', 'kind'],
    registers,
  });

  const refusedAnswers = new Counter({
    name: 'grounded_chat_refused_answers_total',
    help: 'Answers refused with 503 because too many were starting.',
    registers,
  });

  const searches = new Counter({
    name: 'grounded_chat_searches_total',
    help: 'Searches by where chunks were ranked: in memory or in the database.',
    labelNames: ['place'],
    registers,
  });
  const indexLoads = new Counter({
    name: 'grounded_chat_search_index_loads_total',
    help: 'Search indexes that were loaded into memory, or refused because there was no room.',
    labelNames: ['outcome'],
    registers,
  });
  const indexBytes = new Gauge({
    name: 'grounded_chat_search_index_bytes',
    help: 'Memory of the loaded search indexes.',
    registers,
  });
  const sourceRuns = new Counter({
    name: 'grounded_chat_source_runs_total',
    help: 'Finished runs of sources, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const replicaReads = new Counter({
    name: 'grounded_chat_replica_reads_total',
    help: 'Reads that a replica may answer, by result: served by a replica, or repeated on the primary because the replica was behind, failed or was unavailable.',
    labelNames: ['result'],
    registers,
  });
  const replicaLag = new Gauge({
    name: 'grounded_chat_replica_lag_seconds',
    help: 'How far each read replica was behind the primary at its last check.',
    labelNames: ['replica'],
    aggregator: 'max',
    registers,
  });

  const metrics: Metrics = {
    recordIngestion(outcome, seconds) {
      const labels = { outcome: outcome.toLowerCase() };
      ingestions.inc(labels);
      ingestionSeconds.observe(labels, seconds);
    },
    recordModelCall({ operation, model, outcome, seconds }) {
      modelCalls.inc({ operation, model, outcome: outcome.toLowerCase() });
      modelCallSeconds.observe({ operation, model }, seconds);
    },
    recordTimeToFirstToken: (model, seconds) => firstTextSeconds.observe({ model }, seconds),
    recordRefusedAnswer: () => refusedAnswers.inc(),
    recordSearch: (place) => searches.inc({ place: place.toLowerCase() }),
    recordIndexLoad(outcome, bytes) {
      indexLoads.inc({ outcome: outcome.toLowerCase() });
      indexBytes.set(bytes);
    },
    recordIndexBytes: (bytes) => indexBytes.set(bytes),
    recordSourceRun: (outcome) => sourceRuns.inc({ outcome: outcome.toLowerCase() }),
    recordReplicaRead: (result) => replicaReads.inc({ result: result.toLowerCase() }),
    recordReplicaLag: (replica, seconds) => replicaLag.set({ replica }, seconds),
    recordTokenUsage: (model, kind, count) => tokens.inc({ model, kind }, count),
  };
  return { metrics, registry };
}

const modelBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
