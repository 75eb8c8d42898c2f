-- The confidence that is compared with the threshold of the project. Null for failed questions and results of
-- earlier versions.
alter table grounded.evaluation_results add column retrieval_confidence double precision;
