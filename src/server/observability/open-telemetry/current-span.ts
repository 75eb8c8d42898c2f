import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, createContextKey, ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api';

/** A span that has steps, and its step now. Spans that start directly below it become children of the step. */
export interface Steps {
  readonly owner: Span;
  step: Span | null;
}

const stepsKey = createContextKey('steps');

/** Knows the current span of each asynchronous call, and which spans have ended. */
export class CurrentSpan {
  readonly #contexts = new AsyncLocalStorage<Context>();
  readonly #ended = new WeakSet<Span>();

  run<T>(context: Context, work: () => T): T {
    return this.#contexts.run(context, work);
  }

  /** Returns the steps of the nearest span that has steps. */
  steps(): Steps | null {
    const steps = this.#active().getValue(stepsKey);
    return isSteps(steps) ? steps : null;
  }

  /** Returns the context in which new spans start. Its span is the current step, if there is one. */
  context(): Context {
    const context = this.#active();
    const steps = this.steps();
    if (steps === null || steps.step === null) return context;
    return trace.getSpan(context) === steps.owner ? trace.setSpan(context, steps.step) : context;
  }

  /** Returns the current span. Null after its end, because timers that it has started do not belong to it. */
  span(): Span | null {
    const span = trace.getSpan(this.context());
    return span === undefined || this.#ended.has(span) ? null : span;
  }

  /** Ends a span. Only the first call has an effect. */
  end(span: Span): void {
    if (this.#ended.has(span)) return;
    this.#ended.add(span);
    span.end();
  }

  #active(): Context {
    return this.#contexts.getStore() ?? ROOT_CONTEXT;
  }
}

export function withSteps(context: Context, steps: Steps): Context {
  return context.setValue(stepsKey, steps);
}

/** Only `withSteps` stores a value under the key. */
function isSteps(value: unknown): value is Steps {
  return typeof value === 'object' && value !== null && 'owner' in value;
}
