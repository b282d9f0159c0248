import * as t from 'typebox'
import type { Executor } from '#db/db'
import { consoleUrls } from '#src/console-urls'
import { Batches } from '#src/import/batches'
import { findCurrentDraft } from '#src/import/draft/find'
import { type ImportAnswer, toAnswer } from '#src/import/import-answer'
import { ImportResult } from '#src/import/import-result'
import { receiveImport } from '#src/import/receive-import'
import { countImports, listImports } from '#src/import/undo'
import { consolePage } from '#src/operator/console-page'
import { operatorNameOf } from '#src/request/caller'
import type { RequestContext } from '#src/request/context'
import { rerenderWithError } from '#src/request/render'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { categories, itemTypes, searchCharactersMax, statuses } from '#src/story/rules'
import type { FormError } from '#src/ui/field-problem'
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
  return router()
    .get(
      '/premium-content',
      async ({ context, query }) =>
        consolePage(context, libraryConsolePage(query.tab), async () => {
          const { tab = 'overview', edit, ...filter } = query
          if (tab === 'excel') return excelTab(context, { edit })
          const [totals, library] = await Promise.all([
            countLibrary(db),
            tab === 'overview' && listLibraryRows(db, { ...filter, limit: cardsShown }),
          ])
          if (library) return drawLibrary(context, { totals, library, query: filter, edit })
          return (
            <LibraryFrame tab={tab} totals={totals}>
              {tab === 'single' ? <SingleTab /> : <BulkTab />}
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
    .post(
      '/premium-content/import',
      ({ context, request, caller }) => {
        const page = libraryConsolePage('excel')
        const work = async () => {
          const options = { isDryRun: false, strict: false, narrate: 'none' } as const
          const outcome = toAnswer(await receiveImport(services, { request, caller }, options))
          return consolePage(context, page, () => excelTab(context, { outcome }))
        }
        return rerenderWithError(context, work, (problem) =>
          consolePage(context, page, () => excelTab(context, { problem })),
        )
      },
      { parse: 'none', detail: { hide: true } },
    )
}

/** The tab with the imports. `outcome` is that of an import by the form without a script, or its `problem`. */
async function excelTab(
  { services: { db }, caller }: RequestContext,
  { edit, outcome, problem }: { edit?: string; outcome?: ImportAnswer; problem?: FormError },
) {
  return (
    <LibraryFrame tab="excel" totals={await countLibrary(db)}>
      {outcome && <ImportResult outcome={outcome} />}
      <div className={outcome && 'section section-tight'}>
        <ExcelTab
          draft={await findCurrentDraft(db, operatorNameOf(caller))}
          batches={await lastBatches(db)}
          problem={problem}
        />
      </div>
      <Editor edit={edit} />
    </LibraryFrame>
  )
}

async function lastBatches(db: Executor) {
  const [batches, count] = await Promise.all([listImports(db, { limit: batchesShown }), countImports(db)])
  const more = { href: consoleUrls.jobs(), words: `All ${count.toLocaleString('en')} imports` }
  return <Batches batches={batches} count={count} more={count > batchesShown ? more : null} />
}
