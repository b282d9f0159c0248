import * as t from 'typebox'
import { operatorNameOf } from '#src/request/caller'
import { listChangedAndRemoved } from '#src/request/list-changed'
import { about, router } from '#src/request/router'
import { addGuideline, changeGuideline, removeGuideline } from '#src/review/change-guideline'
import { previewGuideline } from '#src/review/preview'
import type { Services } from '#src/services'
import { ChangesQuery, Removal } from '#src/shape/changes'
import { oneOf } from '#src/shape/one-of'
import { listGuidelines, type ListedGuideline as Row } from './queries'
import { quietItemsMax, quietShareMax } from './rules'
import {
  GuidelineChange,
  GuidelineDraft,
  GuidelinePreview,
  ListedGuideline,
  PreviewRequest,
  Tried,
  TryText,
} from './schema'
import { tryGuidelines } from './try'

const params = t.Object({ id: t.String({ maxLength: 64 }) })
const confirmable = t.Object({
  confirm: t.Optional(
    oneOf(['true', 'false'] as const, { description: 'Confirms it after seeing the preview.' }),
  ),
})
const asksFirst = `Where it would hold more than ${quietItemsMax} items or more than ${quietShareMax * 100} % of the library, the answer is 409 with a \`preview\`, and \`confirm=true\` goes on.`

/** Routes of the rules, and of the box to try them in. */
export function guidelineApi({ db }: Services) {
  return router()
    .get(
      '/api/content-guidelines',
      async ({ query }) =>
        listChangedAndRemoved(db, 'guideline', query, async () => (await listGuidelines(db)).map(toAnswer)),
      {
        query: t.Object(ChangesQuery),
        response: t.Array(t.Union([ListedGuideline, Removal])),
        ...about('guidelines', 'List the content guidelines', 'The built-in rules are among them.'),
      },
    )
    .post(
      '/api/content-guidelines',
      async ({ body, query, caller, status }) => {
        const isConfirmed = query.confirm === 'true'
        return status(201, toAnswer(await addGuideline(db, body, operatorNameOf(caller), { isConfirmed })))
      },
      {
        query: confirmable,
        body: GuidelineDraft,
        response: { 201: ListedGuideline },
        ...about(
          'guidelines',
          'Add a content guideline',
          `It applies from the next text on, and the library is checked against it. ${asksFirst}`,
          { 409: 'It would hold much of the library, or the maximum number of rules is reached' },
        ),
      },
    )
    .patch(
      '/api/content-guidelines/:id',
      async ({ params: { id }, query, body, caller, context: { seen } }) => {
        const isConfirmed = query.confirm === 'true'
        return toAnswer(
          await changeGuideline(db, id, body, { by: operatorNameOf(caller), isConfirmed, seen }),
        )
      },
      {
        params,
        query: confirmable,
        body: GuidelineChange,
        response: ListedGuideline,
        ...about(
          'guidelines',
          'Change a content guideline, or turn it on or off',
          `What you leave out stays. What it alone held and no longer finds goes back to where it was. ${asksFirst}`,
          {
            403: 'The rule is built in, or this was sent from another site',
            409: 'It would hold much of the library, or it has changed in the meantime',
          },
        ),
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
        ...about(
          'guidelines',
          'Remove a content guideline',
          'What it alone holds goes back to where it was.',
          { 403: 'The rule is built in, or this was sent from another site' },
        ),
      },
    )
    .post('/api/content-guidelines/test', async ({ body }) => tryGuidelines(db, body), {
      body: TryText,
      response: Tried,
      ...about(
        'guidelines',
        'Try the guidelines on a text',
        'Every match with its place and its rule. Nothing is stored. With `rule`, of that rule alone, before it is added.',
      ),
    })
    .post(
      '/api/content-guidelines/preview',
      async ({ body, request }) => previewGuideline(db, body, { signal: request.signal }),
      {
        body: PreviewRequest,
        response: GuidelinePreview,
        ...about(
          'guidelines',
          'See what a guideline would do to the library',
          'A new rule, or with `ruleId` a change of one: `{"isActive": false}` shows what goes back when it is turned off or removed. Nothing is changed.',
          { 404: 'There is no such guideline' },
        ),
      },
    )
}

/** A rule as the API returns it and the console shows it. */
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
