/** Names of fields with the text of a record. If several contain the same text, the first of them is read. */
export const textNames = [
  'html_body',
  'body_html',
  'body',
  'plain_body',
  'body_text',
  'text',
  'message',
  'content',
  'comment',
  'description',
];

/** Paths of fields with the author of a record, the most readable first. */
export const authorNames = [
  'user_profile.real_name',
  'user_profile.display_name',
  'author.name',
  'author.display_name',
  'sender.name',
  'from.name',
  'user.real_name',
  'user.name',
  'author_name',
  'sender_name',
  'user_name',
  'username',
  'author',
  'sender',
  'from',
  'user',
  'created_by',
  'author_id',
  'sender_id',
  'user_id',
  'requester_id',
  'bot_profile.name',
  'bot_id',
];

/** Names of fields with the time at which a record was written. */
export const timeNames = [
  'ts',
  'created_at',
  'createdAt',
  'sent_at',
  'sentAt',
  'posted_at',
  'published_at',
  'timestamp',
  'created',
  'datetime',
  'date',
  'time',
];

/** Names of technical fields: identifiers, flags, counts, layouts and the state of an interface. */
const technicalName = new RegExp(
  `^(?:${[
    'id|_id|uuid|guid|gid|.{1,60}_ids?|[a-z]{1,30}Ids?|url|uri|self|etag|hash|.{1,40}_hash|icons?|avatar.{0,40}|image_.{1,20}|thumb_.{1,20}',
    'is_.{1,40}|has_.{1,40}|allow_.{1,40}|tz|tz_.{1,20}|.{1,40}_normalized|updated|deleted|creator|members|last_set|previous_names',
    'blocks|reactions|via|team|user_team|source_team|thread_ts|event_ts|edited|last_read|latest_reply|reply_.{1,20}|replies|subscribed|permalink|metadata|upload|display_as_bot|bot_profile|user_profile|parse|inviter|hidden|unfurl_.{1,20}|mrkdwn|mrkdwn_in|root',
    'draft|promoted|position|outdated|outdated_locales|locale|source_locale|vote_.{1,20}|comments_disabled|edited_at|audit.{0,20}|public|custom_fields|custom_status|fields|raw_.{1,40}|recipient|sharing_.{1,40}|followers?|collaborators?|email_ccs|satisfaction_rating|generated_timestamp|from_messaging_channel|encoded_id|brand|content_url|mapped_content_url|content_type|mime_type|mimetype|inline|malware_.{1,40}|thumbnails|url_.{1,40}|filetype|pretty_type|editable|external_type',
  ].join('|')})$`,
);

/** Names inside an object that describe a file or a link of it. */
const technicalPart = /^(?:size|width|height|mode|type|title_link|from_url|original_.{1,20})$/;
const programType = /^(?:message|comment|voicecomment|post|article|ticket|page|user|channel)$/i;
const colorCode = /^#?[\da-f]{3,8}$/i;

/** Whether a field, such as `comments[0].author_id`, is technical. */
export function isTechnical(path: string, text: string): boolean {
  const [first = '', ...others] = path.split('.').map((name) => name.replace(/\[\d+\]$/, ''));
  if (technicalName.test(first) || others.some((name) => technicalName.test(name))) return true;
  if (others.some((name) => technicalPart.test(name))) return true;
  if (path.endsWith('color')) return colorCode.test(text);
  return /^(?:sub)?type$/.test(path) && programType.test(text);
}

/** Fields of a list that describe its pages and not its records. */
const pagingName =
  /^(?:ok|count|page|per_page|page_count|has_more|next_page|previous_page|end_time|end_of_stream|after_cursor|before_cursor|after_url|before_url|sort_by|sort_order|links\..+|meta\..+|response_metadata\..+)$/;

export function isPaging(path: string): boolean {
  return pagingName.test(path);
}
