/** A command for a POSIX shell that asks a question and shows the answer as it comes. `API_KEY` is to be set there. */
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
    `curl -N ${quoted(`${origin}/api/v1/chat`)}`,
    '  -H "Authorization: Bearer $API_KEY"',
    `  -H ${quoted('Content-Type: application/json')}`,
    `  -d ${quoted(body)}`,
  ].join(' \\\n');
}

/** A single word to the shell, in which nothing has a meaning. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
