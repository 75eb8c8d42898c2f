import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { during, isCountedAnswer, isRefused } from './analytics-sql.ts';
import { maxRows, type Period, valuesOf } from './period.ts';

/** Conversations with a label that started in a period. A conversation counts once for each of its labels. */
export interface LabelFigures {
  /** Null for all other labels. */
  readonly name: string | null;
  readonly conversations: number;
  /** Number of answers in these conversations without a source. */
  readonly refused: number;
  /** Number of requested handoffs of these conversations. */
  readonly handoffs: number;
  /** Number of handoffs of these conversations that end users rated. */
  readonly ratings: number;
  /** Mean of these ratings, 1 to 5. Null without ratings. */
  readonly meanRating: number | null;
}

/** Returns the figures of the 50 labels with the most conversations, most first, and one row for all others. */
export function listLabelFigures({ db }: Context, period: Period): Promise<LabelFigures[]> {
  return runSql<LabelFigures>(db, selectLabels, [...valuesOf(period), maxRows]);
}

/** Answers and handoffs are later than the start of their conversation, so the start of the period limits them, too. */
const selectLabels = `
  with labeled as (
    select label.label_id, label.conversation_id
    from grounded.conversation_labels label
    join grounded.conversations conversation on conversation.id = label.conversation_id
    where label.project_id = $1::uuid and conversation.project_id = $1::uuid
      and conversation.channel is distinct from 'PLAYGROUND' and ${during('conversation.created_at')}
  ), answer as (
    select message.conversation_id, count(*) as refused
    from grounded.messages message
    where ${isCountedAnswer('message')} and message.created_at >= $2::timestamptz and ${isRefused('message')}
      and message.conversation_id in (select conversation_id from labeled)
    group by message.conversation_id
  ), handoff as (
    select handoff.conversation_id, count(*) filter (where is_requested) as handoffs,
      count(rating) as ratings, sum(rating) as stars
    from grounded.handoffs handoff
    left join grounded.handoff_satisfaction satisfaction
      on satisfaction.handoff_id = handoff.id and satisfaction.project_id = $1::uuid
    where handoff.project_id = $1::uuid and requested_at >= $2::timestamptz
      and handoff.conversation_id in (select conversation_id from labeled)
    group by handoff.conversation_id
  ), figures as (
    select label_id, count(*) as conversations, sum(refused) as refused, sum(handoffs) as handoffs,
      sum(ratings) as ratings, sum(stars) as stars,
      row_number() over (order by count(*) desc, label_id) as place
    from labeled left join answer using (conversation_id) left join handoff using (conversation_id)
    group by label_id
  )
  select case when place <= $4::integer then label.name end as name, sum(conversations)::integer as conversations,
    coalesce(sum(refused), 0)::integer as refused, coalesce(sum(handoffs), 0)::integer as handoffs,
    coalesce(sum(ratings), 0)::integer as ratings, (sum(stars) / nullif(sum(ratings), 0))::float8 as "meanRating"
  from figures join grounded.labels label on label.id = figures.label_id and label.project_id = $1::uuid
  group by case when place <= $4::integer then label.id end, case when place <= $4::integer then label.name end
  order by min(place)`;
