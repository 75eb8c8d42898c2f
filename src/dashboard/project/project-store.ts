import { useSyncExternalStore } from 'react';
import type { Session } from '../session/session.ts';
import { useSession } from '../session/session-gate.tsx';
import { useProject } from './project.tsx';

/** State that is kept after its page is closed. Notifies subscribers of each change. */
export class Store<State> {
  #state: State;
  readonly #listeners = new Set<() => void>();

  constructor(state: State) {
    this.#state = state;
  }

  get state(): State {
    return this.#state;
  }

  get hasSubscribers(): boolean {
    return this.#listeners.size > 0;
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  protected update(next: (state: State) => State): void {
    this.#state = next(this.#state);
    for (const listener of this.#listeners) listener();
  }
}

/** Returns the state of a store. The component renders again after each change. */
export function useProjectStore<State>(store: Store<State>): State {
  return useSyncExternalStore(store.subscribe, () => store.state);
}

/**
 * Creates a hook that returns a value for the current session and project. Each value is created once and kept until
 * the window closes.
 */
export function createProjectHook<Value>(
  create: (session: Session, projectId: string) => Value,
): () => Value {
  const bySession = new WeakMap<Session, Map<string, Value>>();
  return () => {
    const session = useSession();
    const { id } = useProject();
    const byProject = bySession.get(session) ?? new Map<string, Value>();
    bySession.set(session, byProject);
    const value = byProject.get(id) ?? create(session, id);
    byProject.set(id, value);
    return value;
  };
}
