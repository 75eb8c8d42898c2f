import { superuser } from './handshake.ts';
import { quoteIdentifier, quoteLiteral } from './quote-sql.ts';
import type { ServerReply } from './reply.ts';
import type { WireMessage } from './wire-messages.ts';

/** Postgres settings by name, including `role` and `session_authorization`. */
export type Settings = Map<string, string>;

/** Runs internal SQL in the shared session and returns its rows in text format. Rejects with SqlError on failure. */
export type RunSql = (sql: string) => Promise<(string | null)[][]>;

/** Applies the current client's settings to the session that all clients share. */
export interface SessionSettings {
  /** Applies the `wanted` settings and resets all other settings to the server's defaults. */
  switchTo(wanted: Settings): Promise<void>;
  /**
   * Collects names from a batch that may be custom settings. Call it after each batch that may have changed settings.
   */
  recordCustomNames(batch: readonly WireMessage[]): void;
  /** Returns the settings of the session that differ from the defaults. Call it outside a transaction. */
  readCurrent(): Promise<Settings>;
}

export function createSessionSettings(runSql: RunSql): SessionSettings {
  const customNames = new Set<string>();
  let current: Settings = new Map();
  return {
    async switchTo(wanted) {
      if (wanted === current) return;
      const sql = switchSql(current, wanted);
      if (sql) await runSql(sql);
      current = wanted;
    },
    recordCustomNames(batch) {
      for (const { bytes } of batch) {
        for (const [name] of bytes.toString('latin1').matchAll(customSettingName)) {
          if (customNames.size < maxCustomNames) customNames.add(name.toLowerCase());
        }
      }
    },
    async readCurrent() {
      const rows = await runSql(currentSettingsSql(customNames));
      current = new Map(rows.map(([name, value]) => [name ?? '', value ?? '']));
      return current;
    },
  };
}

/**
 * Whether a batch may have changed settings for longer than its transaction. Checks the command tags first, because the
 * word SET can also be part of a comment or of `update … set`. Does not detect SQL functions that call `set_config`.
 */
export function mayChangeSettings(batch: readonly WireMessage[], reply: ServerReply): boolean {
  const isSet = reply.commandTags.some((tag) => tag === 'SET' || tag === 'RESET');
  const sql = batch
    .map(({ type, bytes }) => (carriesSql(type) ? bytes.toString('latin1') : ''))
    .join('');
  if (!isSet && !/set_config/i.test(sql)) return false;
  return sql === '' || /\b(?:re)?set(?:_config)?\b/i.test(sql.replace(transactionLocalSetting, ''));
}

const transactionLocalSetting =
  /\bset\s+local\b|\bset_config\s*\((?:[^()']|'[^']*')*,\s*true\s*\)/gi;

/**
 * Adds the start-up settings that `settings` lacks. A client expects its own start-up values after RESET, but RESET in
 * the shared session restores the server's defaults.
 */
export function withStartupSettings(settings: Settings, defaults: Settings): Settings {
  const known = new Set([...settings.keys()].map((name) => name.toLowerCase()));
  const missing = [...defaults].filter(([name]) => !known.has(name.toLowerCase()));
  return missing.length === 0 ? settings : new Map([...missing, ...settings]);
}

/**
 * Settings of the current role. Only a superuser may change every setting. So the superuser is restored before other
 * settings change, and these settings are set last.
 */
const identitySettings = ['session_authorization', 'role'];

function switchSql(current: Settings, wanted: Settings): string {
  const changed = (name: string) => current.get(name) !== wanted.get(name);
  const identityChanges = identitySettings.some(changed);
  const plain = (names: Iterable<string>) =>
    [...names].filter((name) => !identitySettings.includes(name));
  const reset = plain(current.keys()).filter((name) => !wanted.has(name));
  const set = plain(wanted.keys()).filter(changed);
  const asSuperuser =
    identityChanges ||
    (identitySettings.some((name) => current.has(name)) && reset.length + set.length > 0);
  return [
    // Uses SET, because RESET SESSION AUTHORIZATION has no effect: PGlite's session starts without a login.
    ...(asSuperuser ? [`SET SESSION AUTHORIZATION ${superuser}`, 'RESET ROLE'] : []),
    ...reset.map((name) => `RESET ${name.split('.').map(quoteIdentifier).join('.')}`),
    ...set.map((name) => setSql(name, wanted)),
    ...identitySettings
      .filter((name) => asSuperuser && wanted.has(name))
      .map((n) => setSql(n, wanted)),
  ].join('; ');
}

function setSql(name: string, settings: Settings): string {
  const value = settings.get(name) ?? '';
  return `SELECT pg_catalog.set_config(${quoteLiteral(name)}, ${quoteLiteral(value)}, false)`;
}

/** Matches names that may be custom settings, such as `app.tenant`. pg_settings does not list custom settings. */
const customSettingName = /\b[a-z_]\w*(?:\.[a-z_]\w*)+/gi;
const maxCustomNames = 1_000;

function currentSettingsSql(customNames: Iterable<string>): string {
  return `
    with listed as materialized (select name, setting, source from pg_catalog.pg_settings)
    select name, setting from listed
    where source = 'session' and name not like 'transaction\\_%'
    union all
    select name, pg_catalog.current_setting(name, true)
    from pg_catalog.unnest(array[${[...customNames].map(quoteLiteral).join(', ')}]::text[]) as name
    where pg_catalog.current_setting(name, true) <> '' and name not in (select name from listed)
    union all
    select 'role', pg_catalog.current_setting('role')
    where pg_catalog.current_setting('role') <> 'none'
    union all
    select 'session_authorization', session_user::text where session_user <> '${superuser}'`;
}

/** Whether messages of this type (Query and Parse) contain SQL. */
function carriesSql(type: string): boolean {
  return type === 'Q' || type === 'P';
}
