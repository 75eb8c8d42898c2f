import { readFile } from 'node:fs/promises';

/** Returns a program from a README: the code block whose first line names the file for it. */
export async function readProgram(readme: string, fileName: string): Promise<string> {
  const text = await readFile(readme, 'utf8');
  const blocks = [...text.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  const program = blocks.find((code) => code.split('\n', 1)[0]?.includes(fileName));
  if (program === undefined) throw new Error(`${readme} has no program ${fileName}`);
  return program;
}
