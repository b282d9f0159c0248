import { afterAll } from 'bun:test'

export type Received = { path: string; authorization: string | null; body: Record<string, unknown> }

/**
 * Starts a small server with the documented protocols of model servers, whose answers a test chooses. Called at the top
 * of a test file.
 */
export function testModelServer() {
  const received: Received[] = []
  const state: { answer(request: Received): Response | Promise<Response> } = {
    answer: () => chatAnswer('Fine.'),
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const text = await request.text()
      const each = {
        path: new URL(request.url).pathname,
        authorization: request.headers.get('authorization'),
        body: text ? JSON.parse(text) : {},
      }
      received.push(each)
      return state.answer(each)
    },
  })
  afterAll(() => server.stop(true))
  const origin = `http://127.0.0.1:${server.port}`
  return { origin, url: `${origin}/v1`, received, state }
}

/** A response in the shape of a chat completion. */
export function chatAnswer(content: string, more: Record<string, unknown> = {}): Response {
  return Response.json({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'test',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop', ...more }],
    usage: { prompt_tokens: 10, completion_tokens: 14, total_tokens: 24 },
  })
}
