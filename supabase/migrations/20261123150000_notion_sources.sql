-- Notion workspaces as sources.
alter type grounded.source_kind add value 'NOTION';
