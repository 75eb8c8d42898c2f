-- The confidence from which a project answers. Null means the default of the models.
alter table grounded.projects
  add column confidence_threshold double precision check (confidence_threshold between 0 and 1);

-- The confidence that was compared with the threshold, before the answer was generated. The column `confidence` is
-- computed from the finished answer. Null for small talk, for messages of people and for older answers.
alter table grounded.messages add column retrieval_confidence double precision;

-- The effect of a threshold is computed from the latest answers and the latest ratings of a project.
create index messages_answers on grounded.messages (project_id, created_at desc)
  where role = 'ASSISTANT' and status = 'COMPLETED' and intent is null;
create index message_feedback_latest on grounded.message_feedback (project_id, updated_at desc);
