-- Evaluation runs use the models, so a plan limits the questions that they ask in a month, and those that the language
-- model judges.

-- Null: ten times the monthly messages, and unlimited if these are.
alter table grounded.plans
  add column monthly_evaluated_questions integer,
  add column monthly_judged_questions    integer;
alter table grounded.organizations
  add column monthly_evaluated_questions integer check (monthly_evaluated_questions >= 0),
  add column monthly_judged_questions    integer check (monthly_judged_questions >= 0);

alter table grounded.usage_periods
  add column evaluated_questions integer not null default 0 check (evaluated_questions >= 0),
  add column judged_questions    integer not null default 0 check (judged_questions >= 0);
alter table grounded.usage_days
  add column evaluated_questions integer not null default 0,
  add column judged_questions    integer not null default 0;
