-- Lists, searches and exports read the contact of an end user from the conversation. Until now, it had the contact of
-- verified end users only. Others gave it with a handoff.
update grounded.conversations conversation set
  end_user_name = coalesce(conversation.end_user_name, handoff.name),
  end_user_email = coalesce(conversation.end_user_email, handoff.email)
from grounded.handoffs handoff
where handoff.conversation_id = conversation.id and handoff.project_id = conversation.project_id
  and handoff.is_latest and (handoff.name is not null or handoff.email is not null);
