import * as t from 'typebox'
import { operatorNameOf } from '#src/http/caller'
import { wholeNumber } from '#src/http/query'
import { about, router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { oneOf } from '#src/story/schema'
import { withQuery } from '#src/urls'
import { activateGuideline, addGuideline, removeGuideline } from './add'
import { listGuidelines, type ListedGuideline as Row } from './queries'
import { approveHeld, heldLimitMax, listHeld, refuseHeld } from './review'
import { GuidelineDraft, HeldItem, ListedGuideline, Tried, TryText } from './schema'
import { tryGuidelines } from './try'

const params = t.Object({ id: t.String({ maxLength: 64 }) })

/** The rules, the box to try them in, and the queue of what they hold (operator.md §7). */
export function guidelineApi(parts: Parts) {
  const { db, env } = parts
  return router()
    .get('/api/content-guidelines', async () => (await listGuidelines(db)).map(toAnswer), {
      response: t.Array(ListedGuideline),
      ...about('guidelines', 'List the content guidelines', 'The built-in rules are among them.'),
    })
    .post(
      '/api/content-guidelines',
      async ({ body, caller, status }) =>
        status(201, toAnswer(await addGuideline(db, body, operatorNameOf(caller)))),
      {
        body: GuidelineDraft,
        response: { 201: ListedGuideline },
        ...about(
          'guidelines',
          'Add a content guideline',
          'It holds from the next text on, and the library is read again by it.',
          { 409: 'There are as many rules as can be' },
        ),
      },
    )
    .patch(
      '/api/content-guidelines/:id',
      async ({ params: { id }, body, caller }) =>
        toAnswer(await activateGuideline(db, id, body, operatorNameOf(caller))),
      {
        params,
        body: t.Object({ isActive: t.Boolean() }),
        response: ListedGuideline,
        ...about('guidelines', 'Turn a content guideline on or off', undefined, {
          403: 'The rule is built in, or this was sent from another site',
        }),
      },
    )
    .delete(
      '/api/content-guidelines/:id',
      async ({ params: { id }, caller }) => {
        await removeGuideline(db, id, operatorNameOf(caller))
        return { success: true }
      },
      {
        params,
        response: t.Object({ success: t.Boolean() }),
        ...about('guidelines', 'Remove a content guideline', undefined, {
          403: 'The rule is built in, or this was sent from another site',
        }),
      },
    )
    .post('/api/content-guidelines/test', async ({ body }) => tryGuidelines(db, body), {
      body: TryText,
      response: Tried,
      ...about(
        'guidelines',
        'Try the guidelines on a text',
        'Every match with its place and its rule. Nothing is kept. With `rule`, of that rule alone, before it is added.',
      ),
    })
    .get(
      '/api/held-content',
      async ({ query, set }) => {
        const { held, nextCursor } = await listHeld(db, query)
        if (nextCursor)
          set.headers.link = `<${env.publicUrl}${withQuery('/api/held-content', { ...query, cursor: nextCursor })}>; rel="next"`
        return held.map(({ updatedAt, ...item }) => ({ ...item, updatedAt: updatedAt.toISOString() }))
      },
      {
        query: t.Object({
          limit: t.Optional(wholeNumber('limit', 1, heldLimitMax)),
          cursor: t.Optional(t.String({ maxLength: 200 })),
        }),
        response: t.Array(HeldItem),
        ...about('guidelines', 'List what is held for review, the longest waiting first'),
      },
    )
    .patch(
      '/api/held-content/:id',
      async ({ params: { id }, body, caller }) => {
        const by = operatorNameOf(caller)
        const settled =
          body.decision === 'approve'
            ? await approveHeld(parts, id, by)
            : await refuseHeld(parts, id, by, body.reason)
        return { id, ...settled }
      },
      {
        params,
        body: t.Object({
          decision: oneOf(['approve', 'refuse'] as const),
          reason: t.Optional(
            t.String({ maxLength: 500, description: 'Of a refusal: what the maker is told.' }),
          ),
        }),
        response: t.Object({ id: t.String(), status: t.String({ examples: ['published'] }) }),
        ...about('guidelines', 'Approve or refuse a held item', undefined, { 409: 'The item is not held' }),
      },
    )
}

/** A rule in the words of the API; the console shows the same. */
export function toAnswer({ createdAt, updatedAt, ...rule }: Row) {
  return {
    ...rule,
    keywords: [...rule.keywords],
    allowed: [...rule.allowed],
    categories: [...rule.categories],
    createdAt: createdAt?.toISOString() ?? null,
    updatedAt: updatedAt?.toISOString() ?? null,
  }
}
