import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { AnswerTrace } from './answer-trace.ts';

/** Maximum size of a stored trace in bytes, as in the table `answer_traces`. */
const maxStoredBytes = 32_768;

/** A trace is at most about 60 KiB of JSON. */
const maxJsonBytes = 262_144;

/** Returns the trace as compressed JSON. Returns null if it is too large to be stored. */
export function encodeTrace(trace: AnswerTrace): Buffer | null {
  const bytes = deflateRawSync(JSON.stringify(trace), { level: 1 });
  return bytes.length <= maxStoredBytes ? bytes : null;
}

/** Returns a trace that `encodeTrace` has encoded. */
export function decodeTrace(bytes: Uint8Array): AnswerTrace {
  const trace = JSON.parse(inflateRawSync(bytes, { maxOutputLength: maxJsonBytes }).toString());
  // Traces of earlier versions have no features.
  return { ...trace, decision: { features: [], ...trace.decision } };
}
