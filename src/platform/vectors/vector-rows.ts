import { pageBytes, type VectorMemory } from './vector-memory.ts';

/** Value of the component 1. The dot product of two unit vectors fits into 32 bits, in every partial sum. */
const one = 32_767;
/** Above this squared length of a vector, sums could overflow. Models return unit vectors. */
const maxSquaredLength = 1.01;

/** Unit vectors in rows, for an exact scan. A component has 16 bits, so that a dot product is exact to about 1e-5. */
export class VectorRows {
  readonly dimensions: number;
  readonly #memory: VectorMemory;
  /** Bytes of a row: a multiple of 32. */
  readonly #stride: number;
  readonly #rowsPerPage: number;
  readonly #pages: number[] = [];
  #rows = 0;

  constructor(memory: VectorMemory, dimensions: number) {
    this.#memory = memory;
    this.dimensions = dimensions;
    this.#stride = Math.ceil((2 * dimensions) / 32) * 32;
    this.#rowsPerPage = Math.floor(pageBytes / Math.max(this.#stride, 32));
  }

  get bytes(): number {
    return this.#pages.length * pageBytes;
  }

  /** Whether a vector has the right size and a length of at most 1. */
  accepts(vector: ArrayLike<number>): boolean {
    let squared = 0;
    for (let n = 0; n < vector.length; n += 1) squared += (vector[n] ?? 0) ** 2;
    return vector.length === this.dimensions && squared <= maxSquaredLength;
  }

  /** Appends a row. Null appends zeros. Returns false, without appending, if it is not a vector of length 1 at most. */
  append(vector: ArrayLike<number> | null): boolean {
    if (vector !== null && !this.accepts(vector)) return false;
    const place = this.#rows % this.#rowsPerPage;
    if (place === 0) this.#pages.push(this.#memory.allocate());
    this.#write((this.#pages.at(-1) ?? 0) + place * this.#stride, vector);
    this.#rows += 1;
    return true;
  }

  /**
   * Returns the dot product of the query with each row. Multiply them by `dotProductScale`. The array is valid until the
   * next call in this process.
   */
  dotProducts(query: Float32Array): Int32Array {
    const memory = this.#memory;
    const out = memory.scratch + pageBytes / 2;
    this.#write(memory.scratch, query);
    if (results.length < this.#rows) results = new Int32Array(Math.ceil(1.25 * this.#rows));
    const found = new Int32Array(memory.bytes, out, this.#rowsPerPage);
    this.#pages.forEach((page, index) => {
      const from = index * this.#rowsPerPage;
      const rows = Math.min(this.#rowsPerPage, this.#rows - from);
      memory.dotProducts(page, rows, this.#stride, memory.scratch, out);
      results.set(rows === this.#rowsPerPage ? found : found.subarray(0, rows), from);
    });
    return results;
  }

  /** Frees the memory. The rows cannot be used any more. */
  release(): void {
    this.#memory.free(this.#pages);
    this.#pages.length = 0;
    this.#rows = 0;
  }

  #write(address: number, vector: ArrayLike<number> | null): void {
    const target = new Int16Array(this.#memory.bytes, address, this.#stride / 2);
    target.fill(0);
    for (let n = 0; vector !== null && n < this.dimensions; n += 1) {
      target[n] = Math.max(-one, Math.min(one, Math.round((vector[n] ?? 0) * one)));
    }
  }
}

export const dotProductScale = 1 / (one * one);

let results = new Int32Array(0);
