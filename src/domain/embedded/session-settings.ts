import type { Frame } from './frames.ts';
import { SUPERUSER } from './handshake.ts';
import { quoteIdentifier, quoteLiteral } from './quote-sql.ts';
import type { Reply } from './reply.ts';

/** Server settings by name; `role` and `session_authorization` are among them. */
export type Settings = Map<string, string>;

/** Runs SQL of our own in the session; rejects when it fails. */
export type RunSql = (sql: string) => Promise<(string | null)[][]>;

/** The settings in force in the session, which every connection wants to be its own. */
export type SessionSettings = {
  /** Makes `wanted` the only settings that differ from the server's own. */
  switchTo(wanted: Settings): Promise<void>;
  /** Call with messages that may have changed settings. */
  note(unit: readonly Frame[]): void;
  /** Reads what is in force now, outside a transaction, as the settings of the current client. */
  learn(): Promise<Settings>;
};

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
    note(unit) {
      for (const { bytes } of unit) {
        for (const [name] of bytes.toString('latin1').matchAll(CUSTOM_NAME)) {
          if (customNames.size < MAX_CUSTOM_NAMES) customNames.add(name.toLowerCase());
        }
      }
    },
    async learn() {
      const rows = await runSql(learnSql(customNames));
      current = new Map(rows.map(([name, value]) => [name ?? '', value ?? '']));
      return current;
    },
  };
}

/**
 * Whether messages that had this answer may have changed settings beyond their transaction. Judged
 * by the command tags, so that comments, batches and `update … set` do not mislead; a function that
 * calls set_config inside is missed.
 */
export function mayChangeSettings(unit: readonly Frame[], reply: Reply): boolean {
  const isSet = reply.outcomes.some((tag) => tag === 'SET' || tag === 'RESET');
  const sql = unit
    .map(({ type, bytes }) => (isText(type) ? bytes.toString('latin1') : ''))
    .join('');
  if (!isSet && !/set_config/i.test(sql)) return false;
  return sql === '' || /\b(?:re)?set(?:_config)?\b/i.test(sql.replace(WITHIN_TRANSACTION, ''));
}

const WITHIN_TRANSACTION = /\bset\s+local\b|\bset_config\s*\((?:[^()']|'[^']*')*,\s*true\s*\)/gi;

/** Settings a client starts with stay in force after RESET. */
export function withDefaults(settings: Settings, defaults: Settings): Settings {
  const known = new Set([...settings.keys()].map((name) => name.toLowerCase()));
  const missing = [...defaults].filter(([name]) => !known.has(name.toLowerCase()));
  return missing.length === 0 ? settings : new Map([...missing, ...settings]);
}

/** A superuser again first, someone else last: in between, every setting may be changed. */
const IDENTITY = ['session_authorization', 'role'];

function switchSql(current: Settings, wanted: Settings): string {
  const changed = (name: string) => current.get(name) !== wanted.get(name);
  const identityChanges = IDENTITY.some(changed);
  const plain = (names: Iterable<string>) => [...names].filter((name) => !IDENTITY.includes(name));
  const reset = plain(current.keys()).filter((name) => !wanted.has(name));
  const set = plain(wanted.keys()).filter(changed);
  const asSuperuser =
    identityChanges ||
    (IDENTITY.some((name) => current.has(name)) && reset.length + set.length > 0);
  return [
    // RESET SESSION AUTHORIZATION does nothing in a session that began without a log-in.
    ...(asSuperuser ? [`SET SESSION AUTHORIZATION ${SUPERUSER}`, 'RESET ROLE'] : []),
    ...reset.map((name) => `RESET ${name.split('.').map(quoteIdentifier).join('.')}`),
    ...set.map((name) => setSql(name, wanted)),
    ...IDENTITY.filter((name) => asSuperuser && wanted.has(name)).map((n) => setSql(n, wanted)),
  ].join('; ');
}

function setSql(name: string, settings: Settings): string {
  const value = settings.get(name) ?? '';
  return `SELECT pg_catalog.set_config(${quoteLiteral(name)}, ${quoteLiteral(value)}, false)`;
}

/** What may be a setting such as `app.tenant`: those are in no list until an extension defines them. */
const CUSTOM_NAME = /\b[a-z_]\w*(?:\.[a-z_]\w*)+/gi;
const MAX_CUSTOM_NAMES = 1_000;

function learnSql(customNames: Iterable<string>): string {
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
    select 'session_authorization', session_user::text where session_user <> '${SUPERUSER}'`;
}

/** Types of messages that carry SQL. */
function isText(type: string): boolean {
  return type === 'Q' || type === 'P';
}
