import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { EvalDocument, EvalSet, Question } from './dataset.ts';

/** Conversations to evaluate, and the documents of the sites that they ask about. */
export interface ConversationSet {
  readonly sites: readonly EvalSet[];
  readonly conversations: readonly Conversation[];
}

export interface Conversation extends z.infer<typeof conversationSchema> {
  /** Name of the file without its extension, such as `follow-up`. */
  readonly category: string;
}

export type ConversationTurn = z.infer<typeof turnSchema>;

const turnSchema = z.strictObject({
  user: z.string(),
  /**
   * Expected kind of reply. `answer`: an answer from the documents, with citations. `refusal`: a reply that says there
   * is no answer. `talk`: a reply that needs no document.
   */
  reply: z.enum(['answer', 'refusal', 'talk']),
  /** The reply must contain at least one text of each group. */
  contains: z.array(z.array(z.string()).min(1)).default([]),
  /** The reply must contain none of these texts. */
  excludes: z.array(z.string()).default([]),
  /** Name of the document that the reply must cite. */
  cites: z.string().optional(),
  maxWords: z.int().positive().default(100),
  /** Whether the reply must differ from the previous one. */
  differs: z.boolean().default(false),
});

const conversationSchema = z.strictObject({
  id: z.string(),
  /** Folder with the documents of the conversation. All documents of a site are ingested into one project. */
  site: z.string(),
  turns: z.array(turnSchema).min(1),
});

const directory = fileURLToPath(new URL('conversations', import.meta.url));

/** Reads `conversations/*.jsonl` and `conversations/documents/SITE/*`. Throws if a line is invalid. */
export async function readConversationSet(): Promise<ConversationSet> {
  const documents = join(directory, 'documents');
  const names = await readdir(documents);
  const files = (await readdir(directory)).filter((file) => file.endsWith('.jsonl')).sort();
  const sites = await Promise.all(names.sort().map((name) => readSite(join(documents, name))));
  const conversations = (await Promise.all(files.map(readCategory))).flat();
  return { sites, conversations };
}

/** Returns the first message of each conversation as a question, with one set per site. Leaves out small talk. */
export function firstQuestions({ sites, conversations }: ConversationSet): EvalSet[] {
  return sites.map((site) => ({
    ...site,
    name: 'conversations',
    questions: conversations.flatMap(({ id, site: name, turns: [first] }): Question[] => {
      if (name !== site.name || first === undefined || first.reply === 'talk') return [];
      const answerable = first.reply === 'answer';
      const doc_ids = first.cites === undefined ? [] : [first.cites];
      const rest = { history: [], answers: [], long_answer: false, lang: '' };
      return [{ id, question: first.user, answerable, doc_ids, ...rest }];
    }),
  }));
}

async function readSite(folder: string): Promise<EvalSet> {
  const names = (await readdir(folder)).sort();
  const documents = await Promise.all(names.map((name) => readDocument(folder, name)));
  const hash = createHash('sha256');
  for (const { name, content } of documents) hash.update(`${name}\0`).update(content).update('\0');
  return {
    name: basename(folder),
    documents,
    questions: [],
    documentsHash: hash.digest('hex').slice(0, 16),
  };
}

async function readDocument(folder: string, name: string): Promise<EvalDocument> {
  const content = await readFile(join(folder, name));
  // The service reads only uploaded files as CSV.
  return { id: name, name, content: name.endsWith('.csv') ? content : content.toString() };
}

async function readCategory(file: string): Promise<Conversation[]> {
  const lines = (await readFile(join(directory, file), 'utf8')).trim().split('\n');
  return lines.map((line, index) => {
    const { data, error } = conversationSchema.safeParse(JSON.parse(line));
    if (data === undefined) throw new Error(`${file}, line ${index + 1}: ${error?.message}`);
    return { ...data, category: basename(file, '.jsonl') };
  });
}
