import * as t from 'typebox'
import { operatorNameOf } from '#src/http/caller'
import { router } from '#src/http/router'
import { Batches } from '#src/import/batches'
import { findCurrentDraft } from '#src/import/draft/find'
import { listImports } from '#src/import/undo'
import { consolePage } from '#src/operator/console-page'
import type { Parts } from '#src/parts'
import { countLibrary, listLibrary } from './library'
import { BulkTab, Editor, ExcelTab, LibraryFrame, libraryTabs, OverviewTab, SingleTab } from './library-page'
import { categories, itemTypes, searchCharactersMax, statuses } from './rules'
import { oneOf } from './schema'

/** A page of cards: eight rows of three, four of six. */
const cardsShown = 48
/** The last imports, to take one back; all of them are with the jobs. */
const batchesShown = 5

/** /premium-content: the library, and the ways into it (operator.md §2). */
export function libraryConsole(parts: Parts) {
  const { db } = parts
  return router().get(
    '/premium-content',
    async ({ request, context, query }) =>
      consolePage(
        parts,
        request,
        context,
        {
          title: 'Premium Content',
          room: 'Premium Content',
          section: 'premium-content',
          door: 'premium-content',
        },
        async () => {
          const { tab = 'overview', edit, ...filter } = query
          return (
            <LibraryFrame tab={tab} totals={await countLibrary(db)}>
              {tab === 'overview' && (
                <OverviewTab
                  library={await listLibrary(db, { ...filter, limit: cardsShown }, 'beginning')}
                  query={filter}
                />
              )}
              {tab === 'single' && <SingleTab />}
              {tab === 'bulk' && <BulkTab />}
              {tab === 'excel' && (
                <ExcelTab
                  draft={await findCurrentDraft(db, operatorNameOf(context.caller))}
                  batches={<Batches batches={await listImports(db, batchesShown)} />}
                />
              )}
              <Editor edit={edit} />
            </LibraryFrame>
          )
        },
      ),
    {
      query: t.Object({
        tab: t.Optional(oneOf(libraryTabs)),
        edit: t.Optional(t.String({ maxLength: 64 })),
        q: t.Optional(t.String({ maxLength: searchCharactersMax })),
        type: t.Optional(oneOf(itemTypes)),
        category: t.Optional(oneOf(categories)),
        status: t.Optional(oneOf(statuses)),
        cursor: t.Optional(t.String({ maxLength: 200 })),
      }),
      detail: { hide: true },
    },
  )
}
