import * as t from 'typebox'
import type { Executor } from '#db/db'
import { Batches } from '#src/import/batches'
import { findCurrentDraft } from '#src/import/draft/find'
import { countImports, listImports } from '#src/import/undo'
import { consolePage } from '#src/operator/console-page'
import { operatorNameOf } from '#src/request/caller'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { categories, itemTypes, searchCharactersMax, statuses } from '#src/story/rules'
import { urls } from '#src/urls'
import { drawLibrary } from './library-overview'
import {
  BulkTab,
  Editor,
  ExcelTab,
  LibraryFrame,
  libraryConsolePage,
  libraryTabs,
  SingleTab,
} from './library-page'
import { countLibrary, listLibraryRows } from './queries'

/** Cards on a page: eight rows of three, or four of six. */
const cardsShown = 48
/** How many recent imports are listed, to undo one; the jobs page lists all. */
const batchesShown = 5

/** The page /premium-content: the library, its uploads and imports. */
export function libraryConsole(services: Services) {
  const { db } = services
  return router().get(
    '/premium-content',
    async ({ context, query }) =>
      consolePage(context, libraryConsolePage(query.tab), async () => {
        const { tab = 'overview', edit, ...filter } = query
        const [totals, library] = await Promise.all([
          countLibrary(db),
          tab === 'overview' && listLibraryRows(db, { ...filter, limit: cardsShown }),
        ])
        if (library) return drawLibrary(context, { totals, library, query: filter, edit })
        return (
          <LibraryFrame tab={tab} totals={totals}>
            {tab === 'single' && <SingleTab />}
            {tab === 'bulk' && <BulkTab />}
            {tab === 'excel' && (
              <ExcelTab
                draft={await findCurrentDraft(db, operatorNameOf(context.caller))}
                batches={await lastBatches(db)}
              />
            )}
            <Editor edit={edit} />
          </LibraryFrame>
        )
      }),
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

async function lastBatches(db: Executor) {
  const [batches, count] = await Promise.all([listImports(db, { limit: batchesShown }), countImports(db)])
  const more = { href: urls.jobs(), words: `All ${count.toLocaleString('en')} imports` }
  return <Batches batches={batches} count={count} more={count > batchesShown ? more : null} />
}
