import { access, constants, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { type Candidate, candidateSchema } from '../domain/evaluation/candidate.ts';
import { counted } from '../text/counted.ts';
import { type Command, type CommandInvocation, stringOption, UsageError } from './command.ts';
import { parseBounds } from './evaluation/figure-bounds.ts';
import { followRun } from './evaluation/follow-run.ts';
import { writeJunitReport } from './evaluation/junit-report.ts';
import { collectPages } from './evaluation/list-pages.ts';
import { readSetName, requireSet, withEvaluationTarget } from './evaluation/open-target.ts';
import { createRunResult } from './evaluation/run-result.ts';
import { restOptions } from './rest-access.ts';

export const evaluationCommands: Readonly<Record<string, Command>> = {
  evaluate: {
    usage:
      '--set NAME [--project ID] [--url URL] [--key KEY | --key-file FILE] [--fail-under FIGURE=VALUE,…] [--candidate JSON] [--judge-by-model] [--junit FILE]',
    summary:
      'Asks the questions of a set and prints the figures. With a key, by REST, also of a service on another machine. Exit code 1 if a figure is outside its bound.',
    options: {
      ...restOptions,
      ...{ set: stringOption, 'fail-under': stringOption },
      ...{ candidate: stringOption, junit: stringOption },
      'judge-by-model': { type: 'boolean' },
    },
    async run(config, call) {
      const name = readSetName(call);
      const failUnder = call.option('fail-under');
      const bounds = failUnder === undefined ? [] : parseBounds(failUnder);
      const candidate = readCandidate(call);
      const judgeByModel = call.flag('judge-by-model');
      const junit = await readJunitFile(call);
      return withEvaluationTarget(config, call, async (target) => {
        const set = await requireSet(target, name);
        const run = await untilStopped(async (signal) => {
          const started = await target.startRun(set.id, { candidate, judgeByModel });
          call.logProgress(`Run ${started.id}: ${counted(started.progress.total, 'question')}`);
          return followRun(target, started, { signal, onProgress: call.logProgress });
        });
        const needsResults = junit !== null || bounds.length > 0;
        const results = needsResults ? await collectPages(target.listResults(run.id)) : [];
        if (junit !== null) await writeFile(junit, writeJunitReport(set.name, run, results));
        return createRunResult(run, results, bounds);
      });
    },
  },
};

/** Runs `work` with a signal that aborts when the process is asked to stop. */
async function untilStopped<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const abort = () => stop.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, abort);
  try {
    return await work(stop.signal);
  } finally {
    for (const signal of signals) process.off(signal, abort);
  }
}

/** The rules of the API for the settings that a run may try. */
const candidateOptionSchema = candidateSchema.extend({
  instructions: z.string().max(10_000).nullish(),
  answerThreshold: z.number().min(0).max(1).nullish(),
  contextChunks: z.int().min(1).max(1_000).nullish(),
  chatModel: z.string().min(1).max(255).nullish(),
  embeddingModel: z.string().min(1).max(255).nullish(),
  withoutDocumentIds: z.array(z.uuid()).max(100).nullish(),
});

function readCandidate(call: CommandInvocation): Candidate | null {
  const text = call.option('candidate');
  if (text === undefined) return null;
  const result = candidateOptionSchema.strict().safeParse(parseJson(text));
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) =>
    [path.join('.'), message].filter(Boolean).join(': '),
  );
  throw new UsageError(`--candidate has wrong settings. ${problems.join('; ')}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError('--candidate must be a JSON object, such as {"answerThreshold": 0.4}');
  }
}

/** Returns the file of the report. Checks its folder before the run, which can take long. */
async function readJunitFile(call: CommandInvocation): Promise<string | null> {
  const file = call.option('junit');
  if (file === undefined) return null;
  try {
    await access(dirname(file), constants.W_OK);
    return file;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--junit cannot be written: ${reason}`);
  }
}
