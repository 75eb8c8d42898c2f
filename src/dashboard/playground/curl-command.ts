/**
 * Returns a POSIX shell command that asks a question and streams the answer. The command reads the key from `$GROUNDED_CHAT_KEY`.
 */
export function curlCommand(
  origin: string,
  question: { readonly message: string; readonly conversationId: string | null },
): string {
  const { message, conversationId } = question;
  const body = JSON.stringify({
    message,
    ...(conversationId !== null && { conversationId }),
    stream: true,
  });
  return [
    `curl -N ${shellQuote(`${origin}/api/v1/chat`)}`,
    '  -H "Authorization: Bearer $GROUNDED_CHAT_KEY"',
    `  -H ${shellQuote('Content-Type: application/json')}`,
    `  -d ${shellQuote(body)}`,
  ].join(' \\\n');
}

/** Quotes a text so that a shell reads it as one word and expands nothing in it. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
