import type { Config } from '../../config/config.ts';
import { DomainError } from '../../platform/errors.ts';
import type { QuestionSetRecord } from '../../rest/evaluation/question-set-record.ts';
import { withContext } from '../cli-context.ts';
import { type CommandInvocation, requireOption } from '../command.ts';
import { readRestAccess } from '../rest-access.ts';
import { resolveProjectOption } from '../tenant-commands.ts';
import type { EvaluationTarget } from './evaluation-target.ts';
import { collectPages } from './list-pages.ts';
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
      // Loads the whole schema, which the other commands do not need.
      const { createLocalEvaluationTarget } = await import('./local-evaluation-target.ts');
      return work(createLocalEvaluationTarget(context, id));
    },
    { isWorker: true },
  );
}

/** Returns the name or id in `--set`, in the form in which names are stored. */
export function readSetName(call: CommandInvocation): string {
  return requireOption(call, 'set').normalize('NFC');
}

/**
 * Returns the set with this name or id, or null if the project has none.
 * @throws DomainError CONFLICT when several sets have this name
 */
export async function findSet(
  target: EvaluationTarget,
  nameOrId: string,
): Promise<QuestionSetRecord | null> {
  const sets = await collectPages(target.listSets());
  const found = sets.filter(({ id, name }) => name === nameOrId || id === nameOrId);
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ');
    throw new DomainError(
      'CONFLICT',
      `The project has ${found.length} question sets ${JSON.stringify(nameOrId)}. Choose one by its id: ${ids}`,
    );
  }
  return found[0] ?? null;
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
