/** Separates texts. Larger than every UTF-16 unit, so that no part contains it. */
const separator = 0x1_0000;
const none = -1;

/**
 * Returns a function that says, in time linear in a part, whether one of the texts contains it. `String.includes` takes
 * the product of both lengths for repetitive texts. A suffix automaton: Blumer et al., "The smallest automaton
 * recognizing the subwords of a text", 1985.
 */
export function createSubstringIndex(texts: readonly string[]): (part: string) => boolean {
  const size = texts.reduce((sum, text) => sum + text.length + 1, 1);
  const edges = createEdges(3 * size);
  const lengths = new Int32Array(2 * size);
  const links = new Int32Array(2 * size).fill(none);
  let states = 1;

  const createState = (length: number, link: number): number => {
    lengths[states] = length;
    links[states] = link;
    states += 1;
    return states - 1;
  };
  const linkOf = (state: number) => links[state] ?? none;
  const lengthOf = (state: number) => lengths[state] ?? 0;

  /** Returns a copy of a state, to which the edges of its shorter suffixes lead. */
  const splitState = (target: number, from: number, unit: number): number => {
    const copy = createState(lengthOf(from) + 1, linkOf(target));
    edges.copy(target, copy);
    for (let state = from; state !== none; state = linkOf(state)) {
      if (edges.target(state, unit) !== target) break;
      edges.set(state, unit, copy);
    }
    links[target] = copy;
    return copy;
  };
  const append = (last: number, unit: number): number => {
    const added = createState(lengthOf(last) + 1, 0);
    let from = last;
    for (; from !== none && edges.target(from, unit) === none; from = linkOf(from)) {
      edges.set(from, unit, added);
    }
    if (from === none) return added;
    const target = edges.target(from, unit);
    const isNext = lengthOf(target) === lengthOf(from) + 1;
    links[added] = isNext ? target : splitState(target, from, unit);
    return added;
  };

  let last = 0;
  for (const text of texts) {
    for (let index = 0; index < text.length; index += 1) {
      last = append(last, text.charCodeAt(index));
    }
    last = append(last, separator);
  }
  return (part) => {
    let state = 0;
    for (let index = 0; index < part.length && state !== none; index += 1) {
      state = edges.target(state, part.charCodeAt(index));
    }
    return state !== none;
  };
}

/** Edges of states by UTF-16 unit: a hash table with open addressing, and a list of the edges of each state. */
function createEdges(capacity: number) {
  const bits = Math.max(4, Math.ceil(Math.log2(2 * capacity)));
  const table = new Int32Array(2 ** bits).fill(none);
  const sources = new Int32Array(capacity);
  const units = new Int32Array(capacity);
  const targets = new Int32Array(capacity);
  const nextEdges = new Int32Array(capacity);
  const firstEdges = new Int32Array(capacity).fill(none);
  let count = 0;

  /** Returns the slot of an edge, or the free slot for it. */
  const slotOf = (state: number, unit: number): number => {
    let slot = Math.imul(Math.imul(state, 0x85ebca6b) ^ unit, 0x9e3779b1) >>> (32 - bits);
    for (let edge = table[slot] ?? none; edge !== none; edge = table[slot] ?? none) {
      if (sources[edge] === state && units[edge] === unit) break;
      slot = (slot + 1) & (table.length - 1);
    }
    return slot;
  };
  const set = (state: number, unit: number, target: number): void => {
    const slot = slotOf(state, unit);
    const known = table[slot] ?? none;
    const edge = known === none ? count : known;
    targets[edge] = target;
    if (known !== none) return;
    table[slot] = edge;
    sources[edge] = state;
    units[edge] = unit;
    nextEdges[edge] = firstEdges[state] ?? none;
    firstEdges[state] = edge;
    count += 1;
  };
  return {
    set,
    /** Returns the state to which an edge leads, or -1. */
    target: (state: number, unit: number): number => {
      const edge = table[slotOf(state, unit)] ?? none;
      return edge === none ? none : (targets[edge] ?? none);
    },
    copy: (from: number, to: number): void => {
      for (let edge = firstEdges[from] ?? none; edge !== none; edge = nextEdges[edge] ?? none) {
        set(to, units[edge] ?? 0, targets[edge] ?? none);
      }
    },
  };
}
