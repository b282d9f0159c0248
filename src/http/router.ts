import { Elysia } from 'elysia'
import { contextOf } from '#src/http/context'

/** A router whose handlers get `caller` and `context`: every noun's endpoints begin with it. */
export function router() {
  return new Elysia().derive(({ request }) => {
    const context = contextOf(request)
    return { context, caller: context.caller }
  })
}

/**
 * What the API document says about a call: one sentence, the noun it is filed under, and by status what it
 * refuses beyond what every call of its kind does.
 */
export function about(
  noun: string,
  summary: string,
  description?: string,
  refusals?: Record<number, string>,
) {
  const detail = { summary, tags: [noun], ...(description && { description }) }
  return { detail: refusals ? Object.assign(detail, { 'x-refusals': refusals }) : detail }
}

/** JSON that may be null: Elysia would answer a null with an empty body. */
export function jsonAnswer(value: object | null): Response {
  return Response.json(value)
}
