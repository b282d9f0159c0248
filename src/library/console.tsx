import * as t from 'typebox'
import { Batches } from '#src/import/batches'
import { findCurrentDraft } from '#src/import/draft/find'
import { listImports } from '#src/import/undo'
import { consolePage } from '#src/operator/console-page'
import { operatorNameOf } from '#src/request/caller'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { categories, itemTypes, searchCharactersMax, statuses } from '#src/story/rules'

import {
  BulkTab,
  drawLibraryCards,
  Editor,
  ExcelTab,
  LibraryFrame,
  libraryTabs,
  OverviewTab,
  SingleTab,
} from './library-page'
import { countLibrary, listLibrary } from './queries'

/** A page of cards: eight rows of three, four of six. */
const cardsShown = 48
/** The last imports, to undo one; all of them are on the jobs page. */
const batchesShown = 5

/** /premium-content: the library, its uploads and imports. */
export function libraryConsole(services: Services) {
  const { db, assets } = services
  return router().get(
    '/premium-content',
    async ({ context, query }) =>
      consolePage(
        context,
        {
          title: 'Premium Content',
          room: 'Premium Content',
          section: 'premium-content',
          entrance: 'premium-content',
        },
        async () => {
          const { tab = 'overview', edit, ...filter } = query
          const [totals, library] = await Promise.all([
            countLibrary(db),
            tab === 'overview' && listLibrary(db, { ...filter, limit: cardsShown }, 'beginning'),
          ])
          const content = (
            <LibraryFrame tab={tab} totals={totals}>
              {library && <OverviewTab library={library} query={filter} />}
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
          return library
            ? { content, cards: drawLibraryCards(assets.manifest, library.items, filter) }
            : content
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
