/**
 * SQL for the timeline of a primary: the first eight digits of the names of its WAL files. The timeline increases when a
 * standby becomes the primary.
 */
export const timelineSql = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)';
