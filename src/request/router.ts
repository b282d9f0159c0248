import { Elysia } from 'elysia'
import { createTimeSlicer } from '#src/process/time-slice'
import type { ApiNoun } from '#src/request/api-nouns'
import { contextOf } from '#src/request/context'

/** A router whose handlers receive `caller` and `context`; the base of every endpoint. */
export function router() {
  return new Elysia().derive(({ request }) => {
    const context = contextOf(request)
    return { context, caller: context.caller }
  })
}

/**
 * The entry of a call in the API document: one sentence, its noun, and by status the refusals that not every call of
 * its kind has.
 */
export function about(
  noun: ApiNoun,
  summary: string,
  description?: string,
  refusals?: Record<number, string>,
) {
  const detail = { summary, tags: [noun], ...(description && { description }) }
  return { detail: refusals ? Object.assign(detail, { 'x-refusals': refusals }) : detail }
}

/** A documented response that is a file or a stream of one of some types, not JSON. */
export function fileAnswer(description: string, ...types: readonly string[]) {
  const content = Object.fromEntries(types.map((type) => [type, { schema: file }]))
  return { description, content }
}

const file = { type: 'string', format: 'binary' } as const

/**
 * A JSON object with one list that may be long. It is serialized in chunks, with pauses in which other requests run.
 * `pieces` are the chunks of the list.
 */
export async function longListAnswer(
  name: string,
  pieces: AsyncIterable<readonly unknown[]> | Iterable<readonly unknown[]>,
  rest: object,
): Promise<Response> {
  const pause = createTimeSlicer()
  const parts = [`{${JSON.stringify(name)}:[`]
  for await (const piece of pieces) {
    if (piece.length > 0) parts.push(...(parts.length > 1 ? [','] : []), JSON.stringify(piece).slice(1, -1))
    await pause()
  }
  parts.push(Object.keys(rest).length > 0 ? `],${JSON.stringify(rest).slice(1)}` : ']}')
  return new Response(new Blob(parts), { headers: { 'content-type': 'application/json' } })
}

/** Splits a list into chunks of 500. */
export function* chunksOf<T>(list: readonly T[]): Generator<T[]> {
  for (let from = 0; from < list.length; from += 500) yield list.slice(from, from + 500)
}

/** JSON that may be null: Elysia would send an empty body for null. */
export function jsonAnswer(value: object | null): Response {
  return Response.json(value)
}
