import type { Config } from '../../config/config.ts';
import { DomainError } from '../../platform/errors.ts';
import type { QuestionSetRecord } from '../../rest/evaluation/question-set-record.ts';
import { withContext } from '../cli-context.ts';
import { type CommandInvocation, requireOption } from '../command.ts';
import { readRestAccess } from '../rest-access.ts';
import { resolveProjectOption } from '../tenant-commands.ts';
import type { EvaluationTarget } from './evaluation-target.ts';
import { createLocalEvaluationTarget } from './local-evaluation-target.ts';
import { createRestEvaluationTarget } from './rest-evaluation-target.ts';

/**
 * Runs `work` with a target. With a key, the target is a service that is called by REST. Without a key, the target is
 * the database of the settings.
 */
export async function withEvaluationTarget<T>(
  config: Config,
  call: CommandInvocation,
  work: (target: EvaluationTarget) => Promise<T>,
): Promise<T> {
  const access = await readRestAccess(config, call);
  if (access !== null) return work(createRestEvaluationTarget(access));
  return withContext(
    config,
    call,
    async (context) => {
      const { id } = await resolveProjectOption(context, call);
      return work(createLocalEvaluationTarget(context, id));
    },
    { isWorker: true },
  );
}

/** Returns the name in `--set`, in the form in which names are stored. */
export function readSetName(call: CommandInvocation): string {
  return requireOption(call, 'set').normalize('NFC');
}

/** Returns the set with this name, whatever its case, or null if the project has none. */
export async function findSet(
  target: EvaluationTarget,
  name: string,
): Promise<QuestionSetRecord | null> {
  for await (const sets of target.listSets()) {
    const found = sets.find((set) => set.name.toLowerCase() === name.toLowerCase());
    if (found !== undefined) return found;
  }
  return null;
}

/** @throws DomainError NOT_FOUND when the project has no set with this name */
export async function requireSet(
  target: EvaluationTarget,
  name: string,
): Promise<QuestionSetRecord> {
  const set = await findSet(target, name);
  if (set !== null) return set;
  throw new DomainError('NOT_FOUND', `The project has no question set ${JSON.stringify(name)}`);
}
