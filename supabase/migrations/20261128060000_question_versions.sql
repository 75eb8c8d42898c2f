-- Runs refer to the questions that they ask instead of copying them. A question that changes or leaves its set is kept
-- as long as a run refers to it.

alter table grounded.set_questions
  -- Identifies one wording of the question. `id` identifies the question and stays when the wording changes.
  add column row_id     uuid not null default gen_random_uuid(),
  -- Versions of the set that have the row: from `added_in`, and before `removed_in`. Null: the current version, too.
  add column added_in   integer not null default 1,
  add column removed_in integer;
alter table grounded.set_questions drop constraint set_questions_pkey;
alter table grounded.set_questions add primary key (row_id);
alter table grounded.set_questions drop constraint set_questions_set_id_position_key;

update grounded.set_questions question set added_in = set.version
from grounded.question_sets set where set.id = question.set_id;

-- Questions of runs of earlier versions of a set, from the copies of the runs.
insert into grounded.set_questions (id, set_id, project_id, position, question, expected, document_id, document_name,
  must_refuse, tags, language, added_in, removed_in)
select distinct on (run.set_id, run.set_version, result.position) result.question_id, run.set_id, run.project_id,
  result.position, result.question, result.expected, result.document_id, result.document_name, result.must_refuse,
  result.tags, result.language, run.set_version, run.set_version + 1
from grounded.evaluation_results result
join grounded.evaluation_runs run on run.id = result.run_id
join grounded.question_sets set on set.id = run.set_id
where run.set_version < set.version
order by run.set_id, run.set_version, result.position, run.id;

alter table grounded.set_questions add unique (set_id, position, added_in);
create unique index set_questions_current on grounded.set_questions (id) where removed_in is null;
-- Finds rows that may be deleted.
create index set_questions_removed on grounded.set_questions (set_id) where removed_in is not null;

-- A result exists from the moment when the question was asked.
delete from grounded.evaluation_results where asked_at is null;
alter table grounded.evaluation_results
  add column question_row uuid references grounded.set_questions on delete cascade;
update grounded.evaluation_results result set question_row = question.row_id
from grounded.evaluation_runs run
join grounded.set_questions question on question.set_id = run.set_id
where run.id = result.run_id and question.position = result.position and question.added_in = run.set_version;
delete from grounded.evaluation_results where question_row is null;
alter table grounded.evaluation_results
  alter column question_row set not null,
  alter column asked_at set not null,
  alter column asked_at set default now(),
  drop column question,
  drop column expected,
  drop column document_id,
  drop column document_name,
  drop column tags,
  drop column language;
create index evaluation_results_question on grounded.evaluation_results (question_row);
