import { type Look, parseLook, plainLook } from './look.ts';
import type { Settings } from './settings.ts';

/** The look that is stored in the project. */
export interface ProjectLook {
  /** Calls the listener, which replaces the one before, now and after each change. Null: the look is not known yet. */
  follow(listener: (look: Look | null) => void): void;
  /** Shows this look instead of the stored one, until the page is left. */
  preview(look: Look): void;
}

/**
 * Loads the look of the project. On the first page of a visitor, the look is unknown until the service responds. Later
 * pages have the last known look at once, from the local storage of the site, and change if the service has another
 * one.
 */
export function loadProjectLook({ key, baseUrl }: Pick<Settings, 'key' | 'baseUrl'>): ProjectLook {
  const storageKey = `grounded-chat:${key}:look`;
  let current = readStored(storageKey);
  let isPreview = false;
  let listener = (_look: Look | null) => {};
  const change = (look: Look) => {
    current = look;
    listener(look);
  };
  const load = async () => {
    const loaded = await fetchLook(`${baseUrl}widget/v1/${key}/look`);
    if (loaded !== null) store(storageKey, loaded);
    if (!isPreview) change(loaded ?? current ?? plainLook);
  };
  void load();
  return {
    follow(next) {
      listener = next;
      listener(current);
    },
    preview(look) {
      isPreview = true;
      change(look);
    },
  };
}

/** After this time, the chat button appears with the default look. */
const timeoutMs = 3_000;

/** Returns null if the service is unreachable or refuses the request. */
async function fetchLook(url: string): Promise<Look | null> {
  try {
    const response = await fetch(url, {
      credentials: 'omit',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return response.ok ? parseLook(await response.json()) : null;
  } catch {
    return null;
  }
}

function readStored(storageKey: string): Look | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
    return typeof stored === 'object' && stored !== null ? parseLook(stored) : null;
  } catch {
    return null;
  }
}

function store(storageKey: string, look: Look): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(look));
  } catch {
    // The browser refused local storage, for example in a private window. Each page then loads the look again.
  }
}
