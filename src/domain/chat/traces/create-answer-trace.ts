import type { TokenUsage } from '../../../models/models.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { FilteredCount } from '../../output-filter/filtered-parts.ts';
import type { AnswerStepName } from './answer-steps.ts';
import type { CallPurpose, DecisionReason, TracedCall, TracedQuestion } from './answer-trace.ts';
import type {
  AnswerTraceRecorder,
  CallRecorder,
  TracedAnswer,
  TracedSearch,
} from './answer-trace-recorder.ts';
import { traceHits } from './trace-hits.ts';

/** Maximum length of a text in UTF-16 units. */
const maxTextLength = 2_000;
const maxNameLength = 200;
/** A question of several parts, with retries of the search, makes about ten calls. */
const maxCalls = 40;

/** Creates the recorder of an answer. `startedAt`: start of the answer, on the clock of `performance.now()`. */
export function createAnswerTrace(asked: string, startedAt: number): AnswerTraceRecorder {
  const question = { asked, rewritten: null, corrected: null, translated: null } as TracedQuestion;
  const found: {
    search: TracedSearch | null;
    features: Readonly<Record<string, number | null>>;
    threshold: number | null;
    isModelAsked: boolean;
  } = { search: null, features: {}, threshold: null, isModelAsked: false };
  const timings: { step: AnswerStepName; ms: number }[] = [];
  const calls: { end(): void; read(): TracedCall }[] = [];
  let filtered: readonly FilteredCount[] = [];
  let step: AnswerStepName = 'START';
  let stepStartedAt = startedAt;

  const runningStep = () => ({ step, ms: rounded(performance.now() - stepStartedAt) });
  return {
    startStep(next) {
      timings.push(runningStep());
      stepStartedAt = performance.now();
      step = next;
    },
    setQuestion: (changed) => void Object.assign(question, changed),
    setSearch(search) {
      found.search = search;
    },
    setDecision: (decision) => void Object.assign(found, decision),
    setFeatures(features) {
      found.features = features;
    },
    setFiltered(counts) {
      filtered = counts;
    },
    startCall(model, purpose) {
      const call = createCall(model.slice(0, maxNameLength), purpose);
      if (calls.length < maxCalls) calls.push(call);
      return call;
    },
    read(answer) {
      const { search, features, threshold, isModelAsked } = found;
      return {
        question: withoutLongTexts(question),
        hits: search === null ? [] : traceHits(search, isModelAsked),
        decision: {
          confidence: answer.retrievalConfidence,
          threshold,
          reasons: reasonsOf(answer, { search, filtered }),
          features: Object.entries(features).flatMap(([name, value]) => {
            return value === null ? [] : [{ name, value: roundedFeature(value) }];
          }),
        },
        modelCalls: calls.map((call) => call.read()),
        filtered,
        timings: [...timings, runningStep()],
      };
    },
  };
}

function createCall(
  model: string,
  purpose: CallPurpose,
): CallRecorder & { readonly read: () => TracedCall } {
  const startedAt = performance.now();
  let tries = 0;
  let usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  let firstTokenMs: number | null = null;
  let totalMs: number | null = null;
  const elapsed = () => rounded(performance.now() - startedAt);
  return {
    onTry() {
      tries += 1;
    },
    firstToken() {
      firstTokenMs ??= elapsed();
    },
    setUsage(next) {
      usage = next;
    },
    end() {
      totalMs ??= elapsed();
    },
    read: () => ({
      ...{ model, purpose, firstTokenMs, totalMs: totalMs ?? elapsed(), tries: Math.max(1, tries) },
      ...{ inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
    }),
  };
}

/** Returns why an answer has its text. An answer that failed or stopped has only that reason. */
function reasonsOf(
  { outcome, intent, model, finishReason, citations }: TracedAnswer,
  {
    search,
    filtered,
  }: { readonly search: TracedSearch | null; readonly filtered: readonly FilteredCount[] },
): DecisionReason[] {
  if (outcome.status === 'STOPPED') return ['STOPPED'];
  if (outcome.status === 'FAILED') {
    const { error } = outcome;
    const isOfModel = error instanceof DomainError && error.code === 'MODEL_ERROR';
    return [isOfModel ? 'MODEL_FAILED' : 'FAILED'];
  }
  if (intent !== null) return [intent === 'HUMAN' ? 'HUMAN_REQUEST' : 'SMALL_TALK'];
  if (model === null) return [search?.hits.length ? 'BELOW_THRESHOLD' : 'NO_HITS'];
  if (finishReason === 'REFUSAL') return ['MODEL_REFUSED'];
  const reasons: DecisionReason[] = ['ANSWERED'];
  if (citations.length === 0) reasons.push('NOT_SUPPORTED');
  if (finishReason === 'LENGTH') reasons.push('CUT_OFF');
  if (filtered.some(({ kind }) => kind === 'PROMPT_LEAK')) reasons.push('PROMPT_LEAK');
  return reasons;
}

function withoutLongTexts({ asked, ...rewritten }: TracedQuestion): TracedQuestion {
  const cut = (text: string | null) => text?.slice(0, maxTextLength).toWellFormed() ?? null;
  return {
    asked: asked.slice(0, maxTextLength).toWellFormed(),
    rewritten: cut(rewritten.rewritten),
    corrected: cut(rewritten.corrected),
    translated: cut(rewritten.translated),
  };
}

/** Rounds to four decimals. */
function roundedFeature(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** Rounds to tenths of a millisecond. */
function rounded(ms: number): number {
  return Math.max(0, Math.round(ms * 10) / 10);
}
