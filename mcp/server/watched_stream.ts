/**
 * Knowing when somebody stops reading an answer.
 * @module
 */

/**
 * The same answer, with a word when its stream is over.
 *
 * @param response The answer.
 * @param onEnd Called once, when the stream has ended or its reader went away; at once where there is none.
 * @returns The answer.
 */
export function watchStream(response: Response, onEnd: () => void): Response {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  if (response.body === null || !isStream) {
    onEnd();
    return response;
  }
  const reader = response.body.getReader();
  // A reader that goes away ends the part that is being read, too.
  let isOver = false;
  const end = (): void => {
    if (!isOver) onEnd();
    isOver = true;
  };
  const watched = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const part = await reader.read();
        if (!part.done) return controller.enqueue(part.value);
        end();
        controller.close();
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    cancel(reason) {
      end();
      return reader.cancel(reason);
    },
  });
  return new Response(watched, { status: response.status, headers: response.headers });
}
