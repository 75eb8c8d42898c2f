import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { deleteUnusedQuestions } from './question-rows.ts';

/** Finished runs of a set that are kept, of which at most one is cancelled. */
const keptRuns = 100;

/**
 * Deletes the old finished runs of a set, its cancelled runs except the latest, and the questions that only they refer
 * to. Call it in the transaction that finishes a run.
 */
export async function deleteOldRuns(
  { db }: Context,
  { setId, projectId }: { readonly setId: string; readonly projectId: string },
): Promise<void> {
  await runSql(db, deleteSql, [setId, projectId, keptRuns]);
  await deleteUnusedQuestions(db, { id: setId, projectId });
}

/** Parameters: $1 set, $2 project, $3 number of kept runs. */
const deleteSql = `
  with finished as (
    select id, status = 'CANCELLED' as is_cancelled, row_number() over (order by id desc) as number,
      row_number() over (partition by status order by id desc) as number_of_status
    from grounded.evaluation_runs
    where set_id = $1::uuid and project_id = $2::uuid and finished_at is not null
  )
  delete from grounded.evaluation_runs run using finished
  where run.id = finished.id
    and (finished.number > $3::int or finished.is_cancelled and finished.number_of_status > 1)`;
