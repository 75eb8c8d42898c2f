/**
 * Returns a set of cursors that detects duplicate events. While one tab takes over the stream from another tab, both
 * may deliver the same event.
 */
export function createSeenCursors() {
  const cursors = new Set<string>();
  return {
    /** Adds a cursor. Returns false if the set already contained it. */
    add(cursor: string): boolean {
      if (cursors.has(cursor)) return false;
      cursors.add(cursor);
      for (const oldest of cursors) {
        if (cursors.size <= maxSeenCursors) break;
        cursors.delete(oldest);
      }
      return true;
    },
  };
}

const maxSeenCursors = 500;
