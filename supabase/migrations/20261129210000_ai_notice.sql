-- The text that tells visitors that an AI system answers them. Null: the widget has one in the language of the visitor.
-- There is always a text (EU AI Act, Article 50), so it cannot be empty.
alter table grounded.widgets add column ai_notice text
  check (char_length(ai_notice) <= 200 and ai_notice ~ '\S');
