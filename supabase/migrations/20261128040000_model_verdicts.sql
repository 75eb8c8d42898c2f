-- Verdicts of the language model on the answers of a run, and marks that people set to compare them with.

create type grounded.answer_verdict as enum ('RIGHT', 'WRONG');

-- Name of the model that judges the answers. Null: only code judges them.
alter table grounded.evaluation_runs add column judge_model text;

alter table grounded.evaluation_results
  -- Null if the model did not judge the answer, or gave no verdict: see the reason.
  add column model_verdict       grounded.answer_verdict,
  add column model_reason        text,
  add column judge_input_tokens  integer not null default 0,
  add column judge_output_tokens integer not null default 0,
  -- Set by a person.
  add column mark                grounded.answer_verdict;

-- The marked results of a run, which are few.
create index evaluation_results_marked on grounded.evaluation_results (run_id) where mark is not null;
