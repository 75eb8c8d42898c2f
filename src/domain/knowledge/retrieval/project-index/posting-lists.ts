import { withRoom } from './growing-array.ts';

/** Number of elements of the first and of the largest block of a list. */
const firstBlock = 4;
const largestBlock = 128;

/**
 * Lists of numbers, one list per term. A list keeps the order in which its elements were added. It is a chain of blocks
 * in one array. The last element of a block is the position of the next block, which is twice as large, up to
 * `largestBlock`.
 */
export class PostingLists {
  #pool = new Uint32Array(0);
  #used = 0;
  #heads = new Uint32Array(0);
  #counts = new Uint32Array(0);
  /** For each term: the position where the next element of its list goes. */
  #nexts = new Uint32Array(0);
  /** For each term: the last slot of its newest block, kept free for the position of the next block. */
  #ends = new Uint32Array(0);

  get bytes(): number {
    return 4 * (this.#pool.length + 4 * this.#heads.length);
  }

  add(term: number, element: number): void {
    if (term >= this.#heads.length) this.#makeRoom(term + 1);
    const count = this.#counts[term] ?? 0;
    let at = this.#nexts[term] ?? 0;
    if (count === 0) {
      at = this.#allocate(term, firstBlock);
      this.#heads[term] = at;
    } else if (at === this.#ends[term]) {
      const block = this.#allocate(term, blockAfter(count));
      this.#pool[at] = block;
      at = block;
    }
    this.#pool[at] = element;
    this.#nexts[term] = at + 1;
    this.#counts[term] = count + 1;
  }

  /** Calls `visit` with each element of the term's list. */
  forEach(term: number, visit: (element: number) => void): void {
    let remaining = this.#counts[term] ?? 0;
    let at = this.#heads[term] ?? 0;
    for (let size = firstBlock; remaining > 0; size = Math.min(2 * size, largestBlock)) {
      const end = at + Math.min(size - 1, remaining);
      remaining -= end - at;
      while (at < end) visit(this.#pool[at++] ?? 0);
      at = this.#pool[at] ?? 0;
    }
  }

  #allocate(term: number, size: number): number {
    const block = this.#used;
    this.#used += size;
    this.#pool = withRoom(this.#pool, this.#used);
    this.#ends[term] = block + size - 1;
    return block;
  }

  #makeRoom(terms: number): void {
    this.#heads = withRoom(this.#heads, terms);
    this.#counts = withRoom(this.#counts, terms);
    this.#nexts = withRoom(this.#nexts, terms);
    this.#ends = withRoom(this.#ends, terms);
  }
}

/** Returns the size of the next block of a list that has `count` elements and only full blocks. */
function blockAfter(count: number): number {
  let size = firstBlock;
  for (let full = size - 1; full <= count && size < largestBlock; full += size - 1) size *= 2;
  return size;
}
