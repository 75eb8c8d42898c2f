import type { Context } from '../context.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { transactionSql } from '../run-sql.ts';
import { type DayRange, daysOf } from './days.ts';
import { latencyBase } from './usage-sql.ts';

/** How sure and how quick completed answers were. */
export interface AnswerFigures {
  readonly answers: number;
  /** Those of them whose confidence is so low that they count as unanswered. */
  readonly unsure: number;
  /** From question to complete answer; half of them took at most this, within 5 percent. Null: no answers. */
  readonly latencyP50Ms: number | null;
  /** As above, of 19 in 20. */
  readonly latencyP95Ms: number | null;
}

export interface AnswerQuality extends AnswerFigures {
  /** Each day, UTC, oldest first, those without answers included. */
  readonly days: readonly (AnswerFigures & { readonly day: Date })[];
}

/**
 * How the assistant of an organization answered in a range of days, in all and on each day. Answers that failed or
 * were stopped do not count. Throws as `requireOrganization` and `daysOf` do.
 */
export async function getAnswerQuality(
  context: Context,
  input: DayRange & { readonly organizationId: string },
): Promise<AnswerQuality> {
  const { id } = await requireOrganization(context, input.organizationId, 'usage:read');
  const { first, last } = daysOf(input);
  const rows = await transactionSql(context.db).query(findDays, [id, first, last]);
  const days = rows.map(({ day, counts }) => ({ day: String(day), counts: countsOf(counts) }));
  return {
    ...figuresOf(days.flatMap(({ counts }) => counts)),
    days: days.map(({ day, counts }) => ({
      day: new Date(`${day}T00:00:00.000Z`),
      ...figuresOf(counts),
    })),
  };
}

/** At most one row a day, with a number of steps that the longest answer bounds. */
const findDays = `
  select to_char(calendar.day, 'YYYY-MM-DD') as day, coalesce(taken.counts, '[]') as counts
  from generate_series($2::date, $3::date, interval '1 day') as calendar (day)
  left join (
    select day, jsonb_agg(jsonb_build_array(latency_step, answers, unsure)) as counts
    from grounded.answer_days
    where organization_id = $1::uuid and day between $2::date and $3::date
    group by day
  ) taken on taken.day = calendar.day
  order by calendar.day`;

/** Answers that took about as long. */
interface StepCount {
  readonly step: number;
  readonly answers: number;
  readonly unsure: number;
}

function countsOf(json: unknown): StepCount[] {
  if (!Array.isArray(json)) throw new Error('Counts of answers are a list');
  return json.map(([step, answers, unsure]) => ({
    step: Number(step),
    answers: Number(answers),
    unsure: Number(unsure),
  }));
}

function figuresOf(counts: readonly StepCount[]): AnswerFigures {
  const quickestFirst = counts.toSorted((a, b) => a.step - b.step);
  const answers = quickestFirst.reduce((sum, count) => sum + count.answers, 0);
  const unsure = quickestFirst.reduce((sum, count) => sum + count.unsure, 0);
  const latencyOf = (share: number) => {
    let left = Math.ceil(share * answers);
    const reached = quickestFirst.find((count) => {
      left -= count.answers;
      return left <= 0;
    });
    return reached === undefined ? null : Math.round(latencyBase ** reached.step);
  };
  return { answers, unsure, latencyP50Ms: latencyOf(0.5), latencyP95Ms: latencyOf(0.95) };
}
