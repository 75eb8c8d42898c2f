import { useSyncExternalStore } from 'react';
import type { Session } from '../session/session.ts';
import { useSession } from '../session/session-gate.tsx';
import { useProject } from './project.tsx';

/** What goes on while its page is not shown, and tells who shows it of each change. */
export class Store<State> {
  #state: State;
  readonly #listeners = new Set<() => void>();

  constructor(state: State) {
    this.#state = state;
  }

  get state(): State {
    return this.#state;
  }

  get isShown(): boolean {
    return this.#listeners.size > 0;
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  protected change(next: (state: State) => State): void {
    this.#state = next(this.#state);
    for (const listener of this.#listeners) listener();
  }
}

/** What a store holds, shown anew with each change. */
export function useStore<State>(store: Store<State>): State {
  return useSyncExternalStore(store.subscribe, () => store.state);
}

/** A hook that gives one and the same thing on all pages of a project, for as long as the window is open. */
export function perProject<Kept>(make: (session: Session, projectId: string) => Kept): () => Kept {
  const bySession = new WeakMap<Session, Map<string, Kept>>();
  return () => {
    const session = useSession();
    const { id } = useProject();
    const kept = bySession.get(session) ?? new Map<string, Kept>();
    bySession.set(session, kept);
    const one = kept.get(id) ?? make(session, id);
    kept.set(id, one);
    return one;
  };
}
