import { readFile } from 'node:fs/promises';

/** A code block that readers paste into a shell. */
export interface ShellBlock {
  /** Line number of the opening fence. Counts from 1. */
  readonly line: number;
  readonly code: string;
  /**
   * The reason from `sh no-test: <reason>`, which says why the test cannot run the block. Null if the test runs the
   * block.
   */
  readonly skipReason: string | null;
  /** Expected output: the `json` or `text` block that directly follows this block. */
  readonly output: ShownOutput | null;
}

export interface ShownOutput {
  readonly language: 'json' | 'text';
  readonly code: string;
}

/** Returns the `sh` blocks of a Markdown file in their order in the file. */
export async function readShellBlocks(path: string): Promise<ShellBlock[]> {
  const blocks = fencedBlocks(await readFile(path, 'utf8'));
  return blocks.flatMap(({ info, code, line }, index) => {
    if (!/^sh\b/.test(info)) return [];
    const next = blocks[index + 1];
    return [{ line, code, skipReason: skipReasonOf(info), output: outputOf(next) }];
  });
}

interface FencedBlock {
  readonly info: string;
  readonly code: string;
  readonly line: number;
}

function fencedBlocks(text: string): FencedBlock[] {
  return [...text.matchAll(/^```(\S.*)\n([\s\S]*?)^```$/gm)].map(
    ({ 1: info = '', 2: code = '', index }) => ({
      info,
      code,
      line: text.slice(0, index).split('\n').length,
    }),
  );
}

function skipReasonOf(info: string): string | null {
  if (info === 'sh') return null;
  return /^sh no-test: *(.*)$/.exec(info)?.[1] ?? '';
}

function outputOf(block: FencedBlock | undefined): ShownOutput | null {
  if (block?.info !== 'json' && block?.info !== 'text') return null;
  return { language: block.info, code: block.code };
}
