/** The parts of a chunk that never change, except that `blocks` may be added later. The id is separate. */
export interface ChunkText {
  readonly content: string;
  readonly context: string;
  readonly page: number | null;
  readonly startOffset: number;
  readonly endOffset: number;
  /** See `Hit.blocks`. */
  readonly blocks?: string | null;
}

/** Caches the texts of the chunks that recent searches found, because queries often find the same chunks. */
export interface ChunkTexts {
  readonly bytes: number;
  find(projectId: string, chunkId: string): ChunkText | null;
  add(projectId: string, chunkId: string, text: ChunkText): void;
}

/** Estimated number of bytes of a cache entry without its texts. */
const entryBytes = 300;

interface Entry {
  readonly projectId: string;
  readonly text: ChunkText;
  /** Whether the entry was found since it was added, or since the cache last spared it from removal. */
  isUsed: boolean;
}

/**
 * Creates a cache of at most `maxBytes`. Removes the oldest entries first. Spares an entry once if a search found it in
 * the meantime.
 */
export function createChunkTexts(maxBytes: number): ChunkTexts {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  const removeOldest = () => {
    for (const [id, entry] of entries) {
      if (bytes <= maxBytes) return;
      entries.delete(id);
      if (entry.isUsed) entries.set(id, { ...entry, isUsed: false });
      else bytes -= bytesOf(entry.text);
    }
  };
  return {
    get bytes() {
      return bytes;
    },
    find(projectId, chunkId) {
      const entry = entries.get(chunkId);
      if (entry === undefined || entry.projectId !== projectId) return null;
      entry.isUsed = true;
      return entry.text;
    },
    add(projectId, chunkId, text) {
      if (entries.has(chunkId)) return;
      entries.set(chunkId, { projectId, text, isUsed: false });
      bytes += bytesOf(text);
      removeOldest();
    },
  };
}

function bytesOf({ content, context, blocks }: ChunkText): number {
  return entryBytes + 2 * (content.length + context.length) + (blocks?.length ?? 0);
}
