import { ButtonLink } from '#src/ui/button'
import { EmptyState } from '#src/ui/empty-state'
import { urls } from '#src/urls'
import { categoryLabel } from './rules'
import type { NeverShown } from './schema'

/** Notice at the address of an item that its reader hides, with a link that shows the item once. */
export function HiddenItem({ item, why }: { item: { type: string; slug: string }; why: NeverShown }) {
  return (
    <EmptyState title="Hidden by your settings" words={`You chose not to see ${whyWords(why)}.`} isPage>
      <div className="btn-row">
        <ButtonLink kind="quiet" href={urls.shownItem(item)} rel="nofollow">
          Show it this once
        </ButtonLink>
        <ButtonLink kind="ghost" href={`${urls.settings()}#hide`}>
          Never show me
        </ButtonLink>
      </div>
    </EmptyState>
  )
}

function whyWords({ categories, words }: NeverShown): string {
  const reasons = [...categories.map(categoryLabel), ...words.map((word) => `the word “${word}”`)]
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(reasons)
}
