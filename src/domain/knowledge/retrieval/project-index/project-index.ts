import type { VectorMemory } from '../../../../platform/vectors/vector-memory.ts';
import { VectorRows } from '../../../../platform/vectors/vector-rows.ts';
import { withRoom } from './growing-array.ts';
import { PostingLists } from './posting-lists.ts';

/** A chunk with the data that the index stores. */
export interface IndexedChunk {
  readonly id: string;
  readonly documentId: string;
  /** Number of tokens of the chunk. */
  readonly length: number;
  /** Distinct terms of the chunk. `frequencies` contains how often each of them occurs, up to `maxFrequency`. */
  readonly terms: readonly string[];
  readonly frequencies: readonly number[];
  /** Null if the chunk has no vector of the model. */
  readonly vector: ArrayLike<number> | null;
}

export const maxFrequency = 255;
/** A frequency uses 8 of 32 bits. A term or a row uses the other 24 bits. */
const frequencyBits = 8;
const maxNumber = 2 ** (32 - frequencyBits);

const isLive = 1;
const hasVector = 2;

/**
 * The chunks of one project, for searches in memory. Each chunk is a row, and rows are numbered in the order in which
 * they were added. Stores the vectors, the terms of each row, and the rows of each term. A search finds a row only
 * after `replaceDocument` has shown it.
 */
export class ProjectIndex {
  /** Number of chunks that a search can find. */
  chunks = 0;
  /** Sum of the lengths of these chunks. */
  totalLength = 0;
  rows = 0;
  readonly vectors: VectorRows | null;
  /** Ids of the documents that a search can find, with their rows. */
  readonly #documents = new Map<string, readonly number[]>();
  /** Chunk id and document id of each row. Rows with the same document share one string. */
  readonly #ids: string[] = [];
  readonly #documentIds: string[] = [];
  readonly #terms = new Map<string, number>();
  /** Memory of the keys of `#terms`, in bytes. */
  #termBytes = 0;
  readonly #postings = new PostingLists();
  /** For each term: number of searchable chunks that contain it. */
  #counts = new Uint32Array(0);
  #flags = new Uint8Array(0);
  #lengths = new Uint16Array(0);
  /**
   * Terms of all rows with their frequencies, in ascending order within each row. Row n has the elements from
   * `#termsFrom[n]` to `#termsFrom[n + 1]`.
   */
  #rowTerms = new Uint32Array(0);
  #termsFrom = new Uint32Array(0);

  constructor(memory: VectorMemory, dimensions: number | null) {
    this.vectors = dimensions === null ? null : new VectorRows(memory, dimensions);
  }

  /** Memory of the index in bytes. The size of maps is estimated. */
  get bytes(): number {
    const arrays = [this.#counts, this.#flags, this.#lengths, this.#rowTerms, this.#termsFrom];
    const numbers = arrays.reduce((sum, array) => sum + array.byteLength, 0);
    const maps = this.#termBytes + 200 * this.#documents.size + 100 * this.rows;
    return (this.vectors?.bytes ?? 0) + this.#postings.bytes + numbers + maps;
  }

  /**
   * Adds a row that searches do not find yet, and returns its number. Returns null if the index cannot store the chunk.
   */
  add(chunk: IndexedChunk): number | null {
    const row = this.rows;
    if (row >= maxNumber || this.#terms.size + chunk.terms.length >= maxNumber) return null;
    if (this.vectors !== null && !this.vectors.append(chunk.vector)) return null;
    this.rows += 1;
    this.#flags = withRoom(this.#flags, this.rows);
    this.#flags[row] = chunk.vector === null ? 0 : hasVector;
    this.#lengths = withRoom(this.#lengths, this.rows);
    this.#lengths[row] = chunk.length;
    this.#ids.push(chunk.id);
    const last = this.#documentIds[row - 1];
    this.#documentIds.push(last === chunk.documentId ? last : chunk.documentId);
    this.#addTerms(row, chunk);
    return row;
  }

  /**
   * Makes these rows of a document searchable and hides its earlier rows. If `rows` is empty, the document has no
   * searchable chunks any more.
   */
  replaceDocument(id: string, rows: readonly number[]): void {
    for (const row of this.#documents.get(id) ?? []) this.#show(row, -1);
    for (const row of rows) this.#show(row, 1);
    if (rows.length === 0) this.#documents.delete(id);
    else this.#documents.set(id, rows);
  }

  /** Returns the searchable rows of a document. */
  rowsOf(documentId: string): readonly number[] {
    return this.#documents.get(documentId) ?? [];
  }

  /** Returns the number of a term, or -1 if the index has never contained a chunk with this term. */
  termNumber(term: string): number {
    return this.#terms.get(term) ?? -1;
  }

  /** Returns the number of searchable chunks that contain the term with this number. */
  countChunks(term: number): number {
    return this.#counts[term] ?? 0;
  }

  isSearchedByVector(row: number): boolean {
    return this.#flags[row] === (isLive | hasVector);
  }

  hasVector(row: number): boolean {
    return ((this.#flags[row] ?? 0) & hasVector) !== 0;
  }

  lengthOf(row: number): number {
    return this.#lengths[row] ?? 0;
  }

  /** Calls `visit` with each searchable chunk that contains the term. */
  forEachChunk(term: number, visit: (row: number, frequency: number) => void): void {
    const flags = this.#flags;
    this.#postings.forEach(term, (posting) => {
      const row = posting >>> frequencyBits;
      if (((flags[row] ?? 0) & isLive) !== 0) visit(row, posting & maxFrequency);
    });
  }

  /** Returns how often a term occurs in a row. */
  frequency(row: number, term: number): number {
    let low = this.#termsFrom[row] ?? 0;
    let high = this.#termsFrom[row + 1] ?? 0;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = this.#rowTerms[middle] ?? 0;
      const found = entry >>> frequencyBits;
      if (found === term) return entry & maxFrequency;
      if (found < term) low = middle + 1;
      else high = middle;
    }
    return 0;
  }

  /** Compares the chunk ids of two rows as Postgres does. Comparing their hexadecimal texts gives the same order. */
  compareIds(left: number, right: number): number {
    return this.idOf(left) < this.idOf(right) ? -1 : 1;
  }

  idOf(row: number): string {
    return this.#ids[row] ?? '';
  }

  documentOf(row: number): string {
    return this.#documentIds[row] ?? '';
  }

  /** Frees the memory of the vectors. After that, the index cannot be searched any more. */
  release(): void {
    this.vectors?.release();
  }

  #addTerms(row: number, { terms, frequencies }: IndexedChunk): void {
    const from = this.#termsFrom[row] ?? 0;
    const to = from + terms.length;
    this.#rowTerms = withRoom(this.#rowTerms, to);
    this.#termsFrom = withRoom(this.#termsFrom, row + 2);
    this.#termsFrom[row + 1] = to;
    const rowTerms = this.#rowTerms;
    for (let index = 0; index < terms.length; index += 1) {
      const number = this.#numberOf(terms[index] ?? '');
      const frequency = frequencies[index] ?? 0;
      rowTerms[from + index] = number * 2 ** frequencyBits + frequency;
      this.#postings.add(number, row * 2 ** frequencyBits + frequency);
    }
    rowTerms.subarray(from, to).sort();
  }

  #numberOf(term: string): number {
    const known = this.#terms.get(term);
    if (known !== undefined) return known;
    const added = this.#terms.size;
    this.#terms.set(term, added);
    this.#termBytes += 80 + 2 * term.length;
    this.#counts = withRoom(this.#counts, added + 1);
    return added;
  }

  #show(row: number, change: 1 | -1): void {
    this.#flags[row] = (this.#flags[row] ?? 0) ^ isLive;
    this.chunks += change;
    this.totalLength += change * this.lengthOf(row);
    const end = this.#termsFrom[row + 1] ?? 0;
    for (let at = this.#termsFrom[row] ?? 0; at < end; at += 1) {
      const term = (this.#rowTerms[at] ?? 0) >>> frequencyBits;
      this.#counts[term] = (this.#counts[term] ?? 0) + change;
    }
  }
}
