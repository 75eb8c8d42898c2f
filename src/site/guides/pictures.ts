import { open } from 'node:fs/promises';
import type { Picture } from '../markdown.ts';
import { guidesPath } from '../page.ts';
import { docsDirectory } from './guide-files.ts';

/** A PNG file has its width and height at bytes 16 and 20. An SVG file has them in its first element. */
const headLength = 300;

/** Reads the sizes of the pictures among the given paths. Returns the pictures by their path below `docs`. */
export async function readPictures(docs: readonly string[]): Promise<ReadonlyMap<string, Picture>> {
  const read = async (file: string) => [file, await readPicture(file)] as const;
  return new Map(await Promise.all(docs.filter(isPicture).map(read)));
}

async function readPicture(file: string): Promise<Picture> {
  const handle = await open(docsDirectory + file);
  try {
    const head = Buffer.alloc(headLength);
    await handle.read(head);
    return { path: `${guidesPath}/${file}`, ...sizeOf(file, head) };
  } finally {
    await handle.close();
  }
}

function sizeOf(file: string, head: Buffer): { readonly width: number; readonly height: number } {
  if (file.endsWith('.png')) return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
  const text = head.toString();
  const width = Number(/ width="(\d{1,5})"/.exec(text)?.[1] ?? 0);
  return { width, height: Number(/ height="(\d{1,5})"/.exec(text)?.[1] ?? 0) };
}

/** Returns whether a path below `docs` can be a picture. */
export function isPicture(file: string): boolean {
  return /^(?:screenshots|reference)\/[\w-]+\.(?:png|svg)$/.test(file);
}
