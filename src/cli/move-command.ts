import type { Config } from '../config/config.ts';
import { directUrlOf } from '../config/database-pooler.ts';
import { postgresUrl } from '../config/setting-fields.ts';
import { ownerDatabaseUrl } from '../platform/postgres/database-pool.ts';
import { type Command, requireOption, stringOption, UsageError } from './command.ts';
import type { MoveReport } from './move/move-installation.ts';
import type { Place } from './move/open-installation.ts';

export const moveCommands: Readonly<Record<string, Command>> = {
  move: {
    usage: '--to POSTGRES_URL|embedded',
    summary:
      'Copies everything of this installation to an empty Postgres, or to the embedded database of DATA_DIR. Stop the service first. Exit code 1 if a table differs; the target is then as before.',
    options: { to: stringOption },
    async run(config, call) {
      const target = readTarget(requireOption(call, 'to'), config);
      const source = readSource(config);
      // Imported only here: this import takes longer than most commands.
      const { moveInstallation } = await import('./move/move-installation.ts');
      const report = await moveInstallation(config, { source, target }, call.logProgress);
      const isFailure = report.tables.some(({ equal }) => !equal);
      return { text: describeReport(report, isFailure, config), json: report, isFailure };
    },
  },
};

function readSource({ dataDir, databaseUrl, ...settings }: Config): Place {
  return databaseUrl === null
    ? { type: 'embedded', dataDir }
    : {
        type: 'postgres',
        url: ownerDatabaseUrl({ ...settings, databaseUrl, connectTimeoutMs: 10_000 }),
      };
}

function readTarget(to: string, { dataDir, databaseUrl }: Config): Place {
  if (to === 'embedded') {
    if (databaseUrl === null) {
      throw new UsageError(
        'DATABASE_URL is not set: with --to embedded it must be the Postgres to copy',
      );
    }
    return { type: 'embedded', dataDir };
  }
  const { data: url, error } = postgresUrl().safeParse(to);
  if (url === undefined) {
    throw new UsageError(`--to ${error?.issues[0]?.message}, or the word embedded`);
  }
  return { type: 'postgres', url: directUrlOf({ DATABASE_URL: url }) ?? url };
}

function describeReport(report: MoveReport, isFailure: boolean, config: Config): string {
  const shown = report.tables.filter(({ rows, equal }) => rows > 0 || !equal);
  const width = Math.max(5, ...shown.map(({ table }) => table.length));
  const lines = shown.map(
    ({ table, rows, equal }) =>
      `${table.padEnd(width)}  ${String(rows).padStart(9)}  ${equal ? 'yes' : 'NO'}`,
  );
  const empty = report.tables.length - shown.length;
  return [
    `From ${report.from}`,
    `to   ${report.to}`,
    '',
    `${'table'.padEnd(width)}  ${'rows'.padStart(9)}  equal`,
    ...lines,
    ...(empty > 0 ? [`${empty} other tables are empty.`] : []),
    '',
    ...(isFailure ? ['Tables differ. The target is as before.'] : nextSteps(report, config)),
  ].join('\n');
}

function nextSteps({ files, secretKeys }: MoveReport, { dataDir, supabase }: Config): string[] {
  const place = supabase === null ? `${dataDir}/files: keep this folder` : 'Supabase Storage';
  const storage =
    files === null
      ? `Files: they stay in ${place}.`
      : `Files: ${files.copied} copied to Supabase Storage, ${files.present} already there, ${files.missing} missing in the source.`;
  const places = {
    SECRETS_KEY: 'which is in SECRETS_KEY.',
    'DATA_DIR/secrets-key': `which is in ${dataDir}/secrets-key.`,
    elsewhere: 'which is neither in SECRETS_KEY nor in DATA_DIR: set SECRETS_KEY to it.',
  };
  const keys = secretKeys.map(
    ({ id, place }) => `Secrets: the service needs the key ${id}, ${places[place]}`,
  );
  return [storage, ...(keys.length > 0 ? keys : ['Secrets: none are stored, so any key will do.'])];
}
