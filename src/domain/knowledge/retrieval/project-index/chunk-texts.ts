/** The parts of a chunk that never change, apart from its id. */
export interface ChunkText {
  readonly content: string;
  readonly context: string;
  readonly page: number | null;
  readonly startOffset: number;
  readonly endOffset: number;
}

/** Texts of the chunks that searches found last, because queries often find the same ones. */
export interface ChunkTexts {
  readonly bytes: number;
  find(projectId: string, chunkId: string): ChunkText | null;
  add(projectId: string, chunkId: string, text: ChunkText): void;
}

/** Bytes of an entry without its texts, estimated. */
const entryBytes = 300;

/** Creates an LRU cache of at most `maxBytes`. */
export function createChunkTexts(maxBytes: number): ChunkTexts {
  /** Least recently used first. */
  const entries = new Map<string, { readonly projectId: string; readonly text: ChunkText }>();
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    find(projectId, chunkId) {
      const entry = entries.get(chunkId);
      if (entry === undefined || entry.projectId !== projectId) return null;
      entries.delete(chunkId);
      entries.set(chunkId, entry);
      return entry.text;
    },
    add(projectId, chunkId, text) {
      if (entries.has(chunkId)) return;
      entries.set(chunkId, { projectId, text });
      bytes += bytesOf(text);
      for (const [oldest, entry] of entries) {
        if (bytes <= maxBytes) break;
        entries.delete(oldest);
        bytes -= bytesOf(entry.text);
      }
    },
  };
}

function bytesOf({ content, context }: ChunkText): number {
  return entryBytes + 2 * (content.length + context.length);
}
