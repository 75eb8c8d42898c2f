import { pageBytes, type VectorMemory } from './vector-memory.ts';

/**
 * Integer that stands for a component of 1. With it, all partial sums in the dot product of two unit vectors fit into
 * 32 bits.
 */
const one = 32_767;
/** Above this squared length of a vector, sums could overflow. Models return vectors of length 1. */
const maxSquaredLength = 1.01;

/** Unit vectors in rows, for an exact scan. A component has 16 bits, so a dot product is exact to about 1e-5. */
export class VectorRows {
  readonly dimensions: number;
  readonly #memory: VectorMemory;
  /** Bytes per row: a multiple of 32. */
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

  /** Whether the vector has the right number of dimensions and a length of at most 1. */
  accepts(vector: ArrayLike<number>): boolean {
    let squared = 0;
    for (let n = 0; n < vector.length; n += 1) squared += (vector[n] ?? 0) ** 2;
    return vector.length === this.dimensions && squared <= maxSquaredLength;
  }

  /**
   * Appends a row and returns true. Null appends zeros. Returns false and appends nothing if `accepts` refuses the
   * vector.
   */
  append(vector: ArrayLike<number> | null): boolean {
    if (vector !== null && !this.accepts(vector)) return false;
    const place = this.#rows % this.#rowsPerPage;
    if (place === 0) this.#pages.push(this.#memory.allocate());
    this.#write((this.#pages.at(-1) ?? 0) + place * this.#stride, vector);
    this.#rows += 1;
    return true;
  }

  /**
   * Returns the dot product of the query with each row. Multiply the values by `dotProductScale`. The array is valid
   * only until the next call in this process.
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

  /** Frees the memory and removes all rows. */
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
