import * as t from 'typebox'
import { removalDays } from '#db/changes'
import { findGuidelines } from '#src/guideline/queries'
import { wholeNumber } from '#src/http/query'
import { applyImport, planOnly } from '#src/import/apply'
import { decodeBy, decodeRows } from '#src/import/decode-rows'
import { describePlan } from '#src/import/describe-plan'
import { PlanRow } from '#src/import/plan-schema'
import type { ImportRequest } from '#src/import/request'
import type { SourceRow } from '#src/import/rows/choose-rows'
import { rowOfObject } from '#src/import/rows/read-rows'
import { operatorNameOf } from '#src/request/caller'
import { pageHeaders } from '#src/request/page-headers'
import { about, longListAnswer, router } from '#src/request/router'
import type { Services } from '#src/services'
import { ChangesQuery, Removal, readSince } from '#src/shape/changes'
import { fieldSentence, invalidField } from '#src/shape/invalid-field'
import { oneOf } from '#src/shape/one-of'
import { BulkStory, PremiumDraft, PremiumEdit, PremiumItem, StoryDraft } from '#src/story/draft-schema'
import { readDraft } from '#src/story/read-draft'
import { libraryLimitMax } from '#src/story/rules'
import { readNarratedVoice } from '#src/story/voice'
import { LibraryQuery } from './change-many-schema'
import { createItem } from './create-item'
import { editItem } from './edit'
import {
  countLibrary,
  listLibrary,
  listLibraryChanges,
  readLibraryItems,
  requireItemOrRemoved,
  requireLibraryItem,
} from './queries'
import { removeItem, restoreItem } from './remove'

const bulkItemsMax = 5_000

/** API calls of operators for the library: publish, edit, remove, singly and in bulk. */
export function operatorStoryApi(services: Services) {
  const { db } = services

  const importRows = async (
    kind: string,
    rows: readonly SourceRow[],
    options: Pick<ImportRequest, 'strict' | 'narrate'>,
    by: string,
  ) =>
    applyImport(
      db,
      {
        kind,
        fileName: null,
        rows: await decodeRows(db, rows, by),
        audio: [],
        ...options,
      },
      by,
    )

  return router()
    .post(
      '/api/stories',
      async ({ body, caller, status }) => {
        const { voice, source, ...draft } = body
        if (source === 'user_generated') throw invalidField('source', 'Expected pre_uploaded')
        const item = await createItem(
          db,
          { ...draft, categories: draft.categories ?? ['romantic'], ...readNarratedVoice(voice ?? 'female') },
          operatorNameOf(caller),
        )
        return status(201, item)
      },
      { body: StoryDraft, response: { 201: PremiumItem }, ...about('stories', 'Create one story') },
    )
    .post(
      '/api/stories/bulk',
      async ({ body, query, caller }) => {
        const rows = body.stories.map(({ line, ...cells }, at) => rowOfObject(cells, line ?? at + 1))
        const by = operatorNameOf(caller)
        if (query.dryRun === 'true') {
          // A dry run changes nothing, so it is not in the audit log.
          const { decoded } = await decodeBy(await findGuidelines(db), rows, by)
          const plan = await planOnly(db, { rows: decoded, audio: [] })
          return { count: 0, stories: [], warnings: [], rows: await describePlan(plan) }
        }
        const { imported, updated, items, warnings } = await importRows(
          'bulk',
          rows,
          { strict: true, narrate: 'none' },
          by,
        )
        return { count: imported + updated, stories: items.map(({ id, title }) => ({ id, title })), warnings }
      },
      {
        query: t.Object({ dryRun: t.Optional(oneOf(['true', 'false'])) }),
        body: t.Object({ stories: t.Array(BulkStory, { minItems: 1, maxItems: bulkItemsMax }) }),
        response: t.Object({
          count: t.Integer(),
          stories: t.Array(t.Object({ id: t.String(), title: t.String() })),
          warnings: t.Array(t.String()),
          rows: t.Optional(t.Array(PlanRow, { description: 'With dryRun: what would become of each row.' })),
        }),
        ...about(
          'stories',
          'Create many stories',
          'All or nothing: a row that is refused refuses the call with its row number. The same rows sent twice are added once. `dryRun=true` answers the plan and changes nothing.',
        ),
      },
    )
    .get(
      '/api/premium-content',
      async ({ query, set, context }) => {
        const since = readSince(query, removalDays)
        const list = since ? await listLibraryChanges(db, query, since) : await listLibrary(db, query)
        Object.assign(set.headers, pageHeaders(context, list))
        return { content: list.items, ...('removed' in list && query.include && { removed: list.removed }) }
      },
      {
        query: t.Object({
          ...LibraryQuery,
          limit: t.Optional(wholeNumber('limit', 1, libraryLimitMax)),
          cursor: t.Optional(t.String({ maxLength: 200 })),
          ...ChangesQuery,
        }),
        response: t.Object({
          content: t.Array(PremiumItem),
          removed: t.Optional(t.Array(Removal, { description: 'With include=removed.' })),
        }),
        ...about(
          'premium',
          'List the library',
          'With `updatedSince` only what changed since then, the longest ago first.',
        ),
      },
    )
    .get('/api/premium-content-stats', async () => countLibrary(db), {
      response: t.Object({
        totalStories: t.Integer(),
        totalFlows: t.Integer(),
        totalAudioFiles: t.Integer(),
        totalSize: t.String({ examples: ['11.8 MB'] }),
      }),
      ...about('premium', 'Totals of the library'),
    })
    .post(
      '/api/premium-content',
      async ({ body, caller, status }) => {
        const item = await createItem(db, readDraft(body), operatorNameOf(caller), {
          isNarrated: body.generateAudio ?? false,
        })
        return status(201, item)
      },
      { body: PremiumDraft, response: { 201: PremiumItem }, ...about('premium', 'Create an item') },
    )
    .post(
      '/api/premium-content/bulk',
      async ({ body, caller }) => {
        const { plan, items, warnings } = await importRows(
          'items',
          body.items.map((each, at) => rowOfObject(each, at + 1)),
          { strict: false, narrate: 'as-stated' },
          operatorNameOf(caller),
        )
        const problems = new Map(
          plan.problems.map(({ row, field, message }) => [row, fieldSentence({ path: field, message })]),
        )
        const failures = plan.rows
          .filter((row) => row.verdict === 'problem' || row.verdict === 'empty')
          .map(({ row, title }) => ({
            index: row - 1,
            title,
            error: problems.get(row) ?? 'This item is empty.',
          }))
        const done = items.filter((item) => item.verdict !== 'problem').map((item) => item.id)
        return longListAnswer('success', readLibraryItems(db, done), { failures, warnings })
      },
      {
        body: t.Object({
          items: t.Array(t.Record(t.String(), t.Unknown()), {
            minItems: 1,
            maxItems: bulkItemsMax,
            examples: [
              [
                {
                  title: 'The Night Ferry',
                  content: 'The last boat left at ten…',
                  type: 'story',
                  categories: ['romantic'],
                },
              ],
            ],
          }),
        }),
        response: t.Object({
          success: t.Array(PremiumItem),
          failures: t.Array(t.Object({ index: t.Integer(), title: t.String(), error: t.String() })),
          warnings: t.Array(t.String(), { description: 'Guideline warnings about the valid items.' }),
        }),
        ...about(
          'premium',
          'Create many items',
          'Valid items are created in one transaction; the others are reported.',
        ),
      },
    )
    .get('/api/premium-content/:id', async ({ params }) => requireItemOrRemoved(db, params.id), {
      params: t.Object({ id: t.String({ maxLength: 64 }) }),
      response: PremiumItem,
      ...about('premium', 'Read an item', 'Removed ones too.'),
    })
    .post(
      '/api/premium-content/:id/restore',
      async ({ params, caller }) => {
        await restoreItem(db, params.id, operatorNameOf(caller))
        return requireLibraryItem(db, params.id)
      },
      {
        params: t.Object({ id: t.String({ maxLength: 64 }) }),
        response: PremiumItem,
        ...about(
          'premium',
          'Restore a removed item',
          'It gets its old status back, or is held if the guidelines now forbid it.',
          {
            409: 'It was not removed, or its title is in the library again',
          },
        ),
      },
    )
    .put(
      '/api/premium-content/:id',
      async ({ params, body, caller, context: { seen } }) => {
        const { warnings } = await editItem(db, params.id, { ...body, seen }, operatorNameOf(caller))
        return { ...(await requireLibraryItem(db, params.id)), warnings }
      },
      {
        params: t.Object({ id: t.String({ maxLength: 64 }) }),
        body: PremiumEdit,
        response: PremiumItem,
        ...about('premium', 'Edit an item', 'What you leave out stays.'),
      },
    )
    .delete(
      '/api/premium-content/:id',
      async ({ params, caller }) => {
        await removeItem(db, params.id, operatorNameOf(caller))
        return { success: true }
      },
      {
        params: t.Object({ id: t.String({ maxLength: 64 }) }),
        response: t.Object({ success: t.Boolean() }),
        ...about('premium', 'Remove an item', 'It leaves every list at once; its row is kept.'),
      },
    )
}
