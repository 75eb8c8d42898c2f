import { dotProductsWasm } from './dot-products-wasm.ts';

/** Bytes of a page of WebAssembly memory, the unit of allocation. */
export const pageBytes = 65_536;
/** Pages that a memory may have, 4 GB. */
const maxPages = 65_536;

/**
 * Memory of vectors with 16-bit components, with a function for their dot products. Pages are allocated one at a time
 * and used again after they are freed. Trap: `bytes` is another array after an allocation.
 */
export interface VectorMemory {
  readonly bytes: ArrayBuffer;
  /** Address of a page that no vectors use: of the query, and half a page later of the results. */
  readonly scratch: number;
  /** Returns the address of a page. */
  allocate(): number;
  free(pages: readonly number[]): void;
  /** Writes the dot products of `rows` vectors from `row` on, of `stride` bytes each, as 32-bit integers to `out`. */
  dotProducts(row: number, rows: number, stride: number, query: number, out: number): void;
}

let shared: { readonly memory: VectorMemory | null } | undefined;

/**
 * Returns the memory of this process, created by the first call. Returns null if the processor has no SIMD, or if the
 * process may not have WebAssembly memory.
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
