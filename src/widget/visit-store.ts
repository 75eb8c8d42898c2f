/** The visitor's state in this browser, separate for each website. */
export interface Visit {
  readonly token: string | null;
  readonly conversationId: string | null;
  /**
   * Whether the conversation waits for an agent or is owned by one. A reply may then arrive on any page of the website.
   */
  readonly isWaiting: boolean;
}

export interface VisitStore {
  read(): Visit;
  update(part: Partial<Visit>): void;
}

const emptyVisit: Visit = { token: null, conversationId: null, isWaiting: false };

/** Stores the visit in the site's local storage, or in memory if the browser refuses local storage. */
export function createVisitStore(key: string): VisitStore {
  const storageKey = `grounded-chat:${key}`;
  let inMemory = emptyVisit;
  const read = (): Visit => {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
      return stored === null ? inMemory : parseVisit(stored);
    } catch {
      return inMemory;
    }
  };
  return {
    read,
    update(part) {
      inMemory = { ...read(), ...part };
      try {
        localStorage.setItem(storageKey, JSON.stringify(inMemory));
      } catch {
        // The browser refused local storage, for example in a private window. `inMemory` contains the visit.
      }
    },
  };
}

function parseVisit(stored: unknown): Visit {
  if (typeof stored !== 'object' || stored === null) return emptyVisit;
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
