import { createDataLoader } from '../../platform/data-loader.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { EvaluationRun } from './evaluation-runs.ts';
import { shareInterval } from './statistics.ts';

/** Numbers of answers by the verdict of the model and the mark of a person. */
export interface VerdictCounts {
  readonly bothRight: number;
  /** The model judged the answer right, the person judged it wrong. */
  readonly onlyModelRight: number;
  readonly onlyMarkRight: number;
  readonly bothWrong: number;
}

/** How far the verdicts of the language model agree with the marks of people. */
export interface Agreement {
  /** Number of answers with a verdict and a mark. */
  readonly n: number;
  readonly share: number;
  /** 95 % interval of the share. */
  readonly low: number;
  readonly high: number;
  /** Cohen's kappa: 1 for full agreement, 0 for agreement by chance. Null if all verdicts and marks are the same. */
  readonly kappa: number | null;
}

/** Returns null if there is no answer with both. */
export function computeAgreement(counts: VerdictCounts): Agreement | null {
  const { bothRight, onlyModelRight, onlyMarkRight, bothWrong } = counts;
  const n = bothRight + onlyModelRight + onlyMarkRight + bothWrong;
  if (n === 0) return null;
  const agreed = bothRight + bothWrong;
  const share = agreed / n;
  const byChance =
    (bothRight + onlyModelRight) * (bothRight + onlyMarkRight) +
    (bothWrong + onlyMarkRight) * (bothWrong + onlyModelRight);
  const kappa = byChance === n * n ? null : (agreed * n - byChance) / (n * n - byChance);
  return { n, share, ...shareInterval(agreed, n), kappa };
}

/**
 * Returns the current agreement of a run. Null without marks. Omits refusals, because code decides about them. The
 * caller must already have access to the run. If several runs are requested together, one statement reads all of them.
 */
export function getAgreement(
  context: Context,
  { id, projectId, judgeModel }: Pick<EvaluationRun, 'id' | 'projectId' | 'judgeModel'>,
): Promise<Agreement | null> {
  if (judgeModel === null) return Promise.resolve(null);
  return loadAgreement(context, projectId, id, async (ids) => {
    const rows = await runSql<VerdictCounts & { readonly runId: string }>(
      context.db,
      countVerdicts,
      [projectId, [...new Set(ids)]],
    );
    const agreements = new Map(rows.map((row) => [row.runId, computeAgreement(row)]));
    return ids.map((id) => agreements.get(id) ?? null);
  });
}

const loadAgreement = createDataLoader<string, Agreement | null>();

/** Parameters: $1 project, $2 runs. */
const countVerdicts = `
  select run_id as "runId",
    count(*) filter (where model_verdict = 'RIGHT' and mark = 'RIGHT')::integer as "bothRight",
    count(*) filter (where model_verdict = 'RIGHT' and mark = 'WRONG')::integer as "onlyModelRight",
    count(*) filter (where model_verdict = 'WRONG' and mark = 'RIGHT')::integer as "onlyMarkRight",
    count(*) filter (where model_verdict = 'WRONG' and mark = 'WRONG')::integer as "bothWrong"
  from grounded.evaluation_results
  where project_id = $1::uuid and run_id = any ($2::uuid[]) and mark is not null and not refused
  group by run_id`;
