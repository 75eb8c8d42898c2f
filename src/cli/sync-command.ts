import { basename, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { withContext } from './cli-context.ts';
import {
  type Command,
  type CommandInvocation,
  type CommandResult,
  stringOption,
  UsageError,
} from './command.ts';
import { readRestAccess, requireWebAddress, restOptions } from './rest-access.ts';
import type { HashCache } from './sync/folder-files.ts';
import { createLocalTarget } from './sync/local-target.ts';
import { prefixOf, type SyncPlan } from './sync/plan-sync.ts';
import { createRestTarget } from './sync/rest-target.ts';
import { type SyncOptions, syncFolder } from './sync/sync-folder.ts';
import { originOfFolder } from './sync/sync-origin.ts';
import type { SyncTarget } from './sync/sync-target.ts';
import { watchFolder } from './sync/watch-folder.ts';
import { resolveProjectOption } from './tenant-commands.ts';

const listOption = { type: 'string', multiple: true } as const;
const flagOption = { type: 'boolean' } as const;
const defaultMaxMegabytes = 100;

export const syncCommands: Readonly<Record<string, Command>> = {
  sync: {
    usage:
      'FOLDER [--project ID] [--url URL] [--key KEY | --key-file FILE] [--name NAME] [--include PATTERN]… [--exclude PATTERN]… [--max-megabytes N] [--link-base URL] [--origin ORIGIN] [--take-over] [--dry-run] [--force] [--watch]',
    summary:
      'Makes the documents of a project equal to the files of a folder. With a key, by REST, also to a service on another machine. Exit code 1 if a file is refused.',
    options: {
      ...restOptions,
      ...{ name: stringOption, include: listOption, exclude: listOption },
      ...{ 'max-megabytes': stringOption, 'link-base': stringOption },
      ...{ origin: stringOption, 'take-over': flagOption },
      ...{ 'dry-run': flagOption, force: flagOption, watch: flagOption },
    },
    argument: 'the folder',
    async run(config, call) {
      const options = readOptions(call);
      const withTarget = await createTargetOpener(config, call);
      const cache: HashCache = new Map();
      let { takesOver } = options;
      const syncOnce = async () => {
        const plan = await withTarget((target) =>
          syncFolder(
            target,
            { ...options, takesOver },
            { cache, onProgress: (text) => call.logProgress(text) },
          ),
        );
        // Only the first sync may take over. Later syncs fail if another folder has sent documents in the meantime.
        takesOver = false;
        return plan;
      };
      if (!call.flag('watch')) return resultOf(await syncOnce(), options);
      await watchUntilStopped(call, options, syncOnce);
      return null;
    },
  },
};

/** Syncs, then syncs after each change, until the process is asked to stop. */
async function watchUntilStopped(
  call: CommandInvocation,
  options: SyncOptions,
  syncOnce: () => Promise<SyncPlan>,
): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const report = async (): Promise<boolean> => {
    try {
      const plan = await syncOnce();
      if (hasChanges(plan)) await call.printResult(resultOf(plan, options));
      return true;
    } catch (error) {
      call.logProgress(error instanceof Error ? error.message : String(error));
      return false;
    }
  };
  await watchFolder(options.root, report, stop.signal, {
    onError: (text) => call.logProgress(text),
  });
}

function hasChanges({ added, changed, removed, refused }: SyncPlan): boolean {
  return added.length + changed.length + removed.length + refused.length > 0;
}

function readOptions(call: CommandInvocation): SyncOptions {
  const root = resolve(call.argument);
  const folderName = basename(root);
  const name = call.option('name') ?? folderName;
  if (call.option('name') === undefined && /[^\w.-]/.test(folderName)) {
    const suggestion = folderName.replace(/[^\w.-]/g, '-');
    throw new UsageError(
      `--name is required, because the name of the folder has other characters than letters, digits, dots, hyphens and underscores. Earlier versions used --name ${suggestion}`,
    );
  }
  if (!/^[\w.-]{1,64}$/.test(name)) {
    throw new UsageError('--name must have 1 to 64 letters, digits, dots, hyphens or underscores');
  }
  const origin = call.option('origin') ?? originOfFolder(root);
  if (!/^[\w./:@-]{1,200}$/.test(origin)) {
    throw new UsageError(
      '--origin must have 1 to 200 letters, digits, dots, slashes, colons, @, hyphens or underscores',
    );
  }
  const megabytes = Number(call.option('max-megabytes') ?? defaultMaxMegabytes);
  if (!(megabytes > 0 && megabytes <= 1_000)) {
    throw new UsageError('--max-megabytes must be a number up to 1000');
  }
  const linkBase = call.option('link-base') ?? null;
  if (linkBase !== null) requireWebAddress('link-base', linkBase);
  return {
    ...{ root, linkBase, prefix: prefixOf(name), origin, takesOver: call.flag('take-over') },
    include: call.options('include'),
    exclude: call.options('exclude'),
    maxBytes: Math.floor(megabytes * 1_000_000),
    isForced: call.flag('force'),
    isDryRun: call.flag('dry-run'),
  };
}

type TargetOpener = <T>(work: (target: SyncTarget) => Promise<T>) => Promise<T>;

/**
 * With a key, the target is a service that is called by REST. Without a key, the target is the database of the
 * settings.
 */
async function createTargetOpener(config: Config, call: CommandInvocation): Promise<TargetOpener> {
  const access = await readRestAccess(config, call);
  if (access !== null) {
    const target = createRestTarget(access);
    return (work) => work(target);
  }
  return (work) =>
    withContext(config, call, async (context) => {
      const { id } = await resolveProjectOption(context, call);
      return work(createLocalTarget(context, id));
    });
}

function resultOf(plan: SyncPlan, { isDryRun }: SyncOptions): CommandResult {
  const { added, changed, unchanged, removed, refused } = plan;
  const removedPaths = removed.map(({ path }) => path);
  const lines = [
    ...added.map((path) => `+ ${path}`),
    ...changed.map((path) => `~ ${path}`),
    ...removedPaths.map((path) => `- ${path}`),
    ...refused.map(({ path, reason }) => `! ${path}: ${reason}`),
    `${isDryRun ? 'Plan: ' : ''}${added.length} added, ${changed.length} changed, ${removed.length} removed, ${unchanged.length} unchanged, ${refused.length} refused.`,
  ];
  return {
    text: lines.join('\n'),
    json: { added, changed, removed: removedPaths, unchanged: unchanged.length, refused },
    isFailure: refused.length > 0,
  };
}
