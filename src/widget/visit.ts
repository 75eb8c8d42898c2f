/** What the browser remembers of a visitor, for this site alone. */
export interface Visit {
  readonly token: string | null;
  readonly conversationId: string | null;
  /** A person was asked for, who may answer at any time. */
  readonly isWaiting: boolean;
}

export interface StoredVisit {
  read(): Visit;
  change(part: Partial<Visit>): void;
}

const nothing: Visit = { token: null, conversationId: null, isWaiting: false };

/** In the site's local storage or, where that is refused, until the page is left. */
export function createVisit(key: string): StoredVisit {
  const name = `grounded-chat:${key}`;
  let held = nothing;
  const read = (): Visit => {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(name) ?? 'null');
      return stored === null ? held : visitOf(stored);
    } catch {
      return held;
    }
  };
  return {
    read,
    change(part) {
      held = { ...read(), ...part };
      try {
        localStorage.setItem(name, JSON.stringify(held));
      } catch {
        // Private windows and sites without storage: `held` has it.
      }
    },
  };
}

function visitOf(stored: unknown): Visit {
  if (typeof stored !== 'object' || stored === null) return nothing;
  const text = (name: keyof Visit) => {
    const value: unknown = Reflect.get(stored, name);
    return typeof value === 'string' ? value : null;
  };
  return {
    token: text('token'),
    conversationId: text('conversationId'),
    isWaiting: Reflect.get(stored, 'isWaiting') === true,
  };
}
