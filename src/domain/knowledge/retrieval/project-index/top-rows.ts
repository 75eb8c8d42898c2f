/**
 * Selects the best of many rows. Implemented as a binary heap of at most `limit` rows with the worst row on top.
 * `compareTies` orders rows with equal scores; the lower row is better.
 */
export class TopRows {
  readonly #limit: number;
  readonly #compareTies: (left: number, right: number) => number;
  readonly #scores: Float64Array;
  readonly #rows: Int32Array;
  #size = 0;

  constructor(limit: number, compareTies: (left: number, right: number) => number = () => 0) {
    this.#limit = limit;
    this.#compareTies = compareTies;
    this.#scores = new Float64Array(limit);
    this.#rows = new Int32Array(limit);
  }

  /** Minimum score that a further row needs to be among the best. */
  get minScore(): number {
    return this.#size < this.#limit ? Number.NEGATIVE_INFINITY : (this.#scores[0] ?? 0);
  }

  add(row: number, score: number): void {
    if (this.#size < this.#limit) {
      this.#rise(this.#size++, row, score);
    } else if (this.#isWorse(0, row, score)) {
      this.#sink(row, score);
    }
  }

  /** Returns the rows with their scores, best first. */
  best(): { readonly row: number; readonly score: number }[] {
    const found = Array.from({ length: this.#size }, (_, at) => ({
      row: this.#rows[at] ?? 0,
      score: this.#scores[at] ?? 0,
    }));
    return found.sort(
      (left, right) => right.score - left.score || this.#compareTies(left.row, right.row),
    );
  }

  /** Returns whether the heap entry at the position `at` is worse than a row. */
  #isWorse(at: number, row: number, score: number): boolean {
    const difference = score - (this.#scores[at] ?? 0);
    return difference > 0 || (difference === 0 && this.#compareTies(row, this.#rows[at] ?? 0) < 0);
  }

  #rise(start: number, row: number, score: number): void {
    let at = start;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#isWorse(parent, row, score)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#put(at, row, score);
  }

  #sink(row: number, score: number): void {
    let at = 0;
    for (let child = 1; child < this.#size; child = 2 * at + 1) {
      const other = child + 1;
      const isOtherWorse =
        other < this.#size &&
        this.#isWorse(other, this.#rows[child] ?? 0, this.#scores[child] ?? 0);
      const worst = isOtherWorse ? other : child;
      if (!this.#isWorse(worst, row, score)) break;
      this.#move(worst, at);
      at = worst;
    }
    this.#put(at, row, score);
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#rows[from] ?? 0, this.#scores[from] ?? 0);
  }

  #put(at: number, row: number, score: number): void {
    this.#rows[at] = row;
    this.#scores[at] = score;
  }
}
