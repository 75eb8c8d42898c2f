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

interface Entry {
  readonly projectId: string;
  readonly text: ChunkText;
  /** Whether it was found since it was added or last spared. */
  isUsed: boolean;
}

/** Creates a cache of at most `maxBytes`. Removes the oldest entries first, but spares each that was found since. */
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

function bytesOf({ content, context }: ChunkText): number {
  return entryBytes + 2 * (content.length + context.length);
}
