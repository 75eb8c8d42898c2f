import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';

/** Documents and questions about them. One file `qa/NAME.jsonl` contains one set. */
export interface EvalSet {
  readonly name: string;
  readonly documents: readonly EvalDocument[];
  readonly questions: readonly Question[];
  /** Hash of all documents. */
  readonly documentsHash: string;
}

export interface EvalDocument {
  readonly id: string;
  readonly name: string;
  /** A text, or the bytes of a file. */
  readonly content: string | Buffer;
}

export type Question = z.infer<typeof questionSchema>;

const documentSchema = z.object({
  id: z.string(),
  name: z.string(),
  content: z.string().optional(),
  file: z.string().optional(),
});

const headSchema = z.object({ set: z.string(), docs: z.array(documentSchema) });

const questionSchema = z.object({
  id: z.string(),
  question: z.string(),
  /** The user's earlier messages in the same conversation. */
  history: z.array(z.string()).default([]),
  answerable: z.boolean(),
  /**
   * Ids of the documents that answer the question. Each of them is sufficient. Empty if the question is unanswerable.
   */
  doc_ids: z.array(z.string()),
  /** Short answers. A correct reply contains one of them word for word. May be empty. */
  answers: z.array(z.string()).default([]),
  /** Whether `answers` are so long that a reply will not contain them word for word. */
  long_answer: z.boolean().default(false),
  /** Language, such as `de`. `en->de` means an English question and a German document. */
  lang: z.string().default(''),
});

/**
 * Reads `DIR/qa/*.jsonl`. The first line of a file is `{set, docs: [{id, name, content | file}]}`, and each other line
 * is a question. File paths are relative to DIR. If a line is invalid, throws an error with its line number.
 */
export async function readSets(
  directory: string,
  names: readonly string[] | null,
): Promise<EvalSet[]> {
  const folder = existsSync(join(directory, 'qa')) ? join(directory, 'qa') : directory;
  const files = (await readdir(folder)).filter((file) => file.endsWith('.jsonl')).sort();
  const known = files.map((file) => basename(file, '.jsonl'));
  const missing = (names ?? []).filter((name) => !known.includes(name));
  if (missing.length > 0) {
    throw new Error(`No such set: ${missing.join(', ')}. There are ${known.join(', ')}`);
  }
  const chosen = known.filter((name) => names === null || names.includes(name));
  if (chosen.length === 0) throw new Error(`No *.jsonl in ${folder}`);
  return Promise.all(chosen.map((name) => readSet(directory, join(folder, `${name}.jsonl`))));
}

async function readSet(directory: string, file: string): Promise<EvalSet> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  const parsed = lines.map((line, index): unknown => {
    try {
      return JSON.parse(line);
    } catch (error) {
      throw new Error(`${file}, line ${index + 1}: ${String(error)}`);
    }
  });
  const check = <T>(schema: z.ZodType<T>, value: unknown, line: number): T => {
    const { data, error } = schema.safeParse(value);
    if (data === undefined) throw new Error(`${file}, line ${line}: ${error?.message}`);
    return data;
  };
  const head = check(headSchema, parsed[0], 1);
  const documents = await Promise.all(
    head.docs.map((document) => readDocument(directory, document)),
  );
  const hash = createHash('sha256');
  for (const { name, content } of documents) hash.update(`${name}\0`).update(content).update('\0');
  return {
    name: head.set,
    documents,
    questions: parsed.slice(1).map((value, index) => check(questionSchema, value, index + 2)),
    documentsHash: hash.digest('hex').slice(0, 16),
  };
}

async function readDocument(
  directory: string,
  { id, name, content, file }: z.infer<typeof documentSchema>,
): Promise<EvalDocument> {
  if (content !== undefined) return { id, name, content };
  if (file === undefined) throw new Error(`The document ${id} has neither content nor file`);
  return { id, name, content: await readFile(join(directory, file)) };
}
