import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Seconds of the slow test files. `npm run gate -- --write-budget` measures them. */
const { files } = JSON.parse(readFileSync('test/time-budget.json', 'utf8')) as {
  readonly files: Readonly<Record<string, number>>;
};

/**
 * Starts the slowest test files first, so that no worker runs a slow file at the end. The other files follow by size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specifications);
    return sorted.sort((a, b) => secondsOf(b) - secondsOf(a));
  }
}

function secondsOf({ moduleId }: TestSpecification): number {
  return files[relative(process.cwd(), moduleId)] ?? 0;
}
