import { dotProductsWasm } from './dot-products-wasm.ts';

/** Bytes of a page of WebAssembly memory, the unit of allocation. */
export const pageBytes = 65_536;
/** Maximum number of pages of a memory: 4 GB. */
const maxPages = 65_536;

/**
 * Memory for vectors with 16-bit components, and a function that computes their dot products. Pages are allocated one
 * at a time, and reused after they are freed. Trap: after an allocation, `bytes` is a different array.
 */
export interface VectorMemory {
  readonly bytes: ArrayBuffer;
  /** Address of a page without stored vectors. The query is at its start, and the results are half a page later. */
  readonly scratch: number;
  /** Allocates a page and returns its address. */
  allocate(): number;
  free(pages: readonly number[]): void;
  /**
   * Computes the dot products of `rows` vectors with the query, and writes them as 32-bit integers to `out`. The
   * vectors start at `row` and have `stride` bytes each.
   */
  dotProducts(row: number, rows: number, stride: number, query: number, out: number): void;
}

let shared: { readonly memory: VectorMemory | null } | undefined;

/**
 * Returns the memory of this process. The first call creates it. Returns null if the processor has no SIMD, or if the
 * process cannot get WebAssembly memory.
 */
export function vectorMemory(): VectorMemory | null {
  shared ??= createVectorMemory(dotProductsWasm());
  return shared.memory;
}

function createVectorMemory(code: Uint8Array<ArrayBuffer>): NonNullable<typeof shared> {
  if (typeof WebAssembly === 'undefined' || !WebAssembly.validate(code)) return { memory: null };
  try {
    return { memory: instantiate(code) };
  } catch {
    return { memory: null };
  }
}

function instantiate(code: Uint8Array<ArrayBuffer>): VectorMemory {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: maxPages });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(code), { env: { memory } });
  const freePages: number[] = [];
  return {
    get bytes() {
      return memory.buffer;
    },
    scratch: 0,
    allocate: () => freePages.pop() ?? memory.grow(1) * pageBytes,
    free(pages) {
      for (const page of pages) freePages.push(page);
    },
    dotProducts: instance.exports.dotProducts as VectorMemory['dotProducts'],
  };
}
