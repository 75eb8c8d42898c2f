import { shareInterval } from '../evaluation/statistics.ts';
import type { AnswerCount, MappedConfidence } from './mapped-confidence.ts';

interface Block {
  readonly confidence: number;
  readonly answers: number;
  readonly accepted: number;
}

/**
 * Fits shares that never fall as the confidence rises, by pooling adjacent violators (Zadrozny and Elkan 2002). Between
 * the blocks it interpolates. The interval is that of the nearest blocks (Wilson 1927).
 */
export function fitIsotonicMap(
  counts: readonly AnswerCount[],
): (confidence: number) => MappedConfidence {
  const blocks: Block[] = [];
  for (const count of counts.toSorted((left, right) => left.confidence - right.confidence)) {
    let last: Block = count;
    for (let before = blocks.at(-1); before && shareOf(before) >= shareOf(last); ) {
      last = join(before, last);
      blocks.pop();
      before = blocks.at(-1);
    }
    blocks.push(last);
  }
  const known = blocks.map((block) => ({ at: block.confidence, ...intervalOf(block) }));
  return (confidence) => {
    const next = known.findIndex(({ at }) => at >= confidence);
    const right = known[next] ?? known.at(-1);
    const left = known[next - 1] ?? right;
    if (left === undefined || right === undefined) throw new Error('There are no answers');
    const width = right.at - left.at;
    const share = next < 0 || width === 0 ? 1 : (confidence - left.at) / width;
    const between = (name: keyof MappedConfidence) =>
      left[name] + share * (right[name] - left[name]);
    return { accepted: between('accepted'), low: between('low'), high: between('high') };
  };
}

function shareOf({ accepted, answers }: Block): number {
  return accepted / answers;
}

function join(left: Block, right: Block): Block {
  const answers = left.answers + right.answers;
  const sum = left.confidence * left.answers + right.confidence * right.answers;
  return { confidence: sum / answers, answers, accepted: left.accepted + right.accepted };
}

function intervalOf(block: Block): MappedConfidence {
  return { accepted: shareOf(block), ...shareInterval(block.accepted, block.answers) };
}
