/** Reads a stream until its text holds `wanted`; rejects when it ends without. */
export async function readUntil(response: Response, wanted: string): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes(wanted)) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done) throw new Error(`ended without ${wanted}: ${text}`);
    text += value;
  }
  reader?.releaseLock();
}
