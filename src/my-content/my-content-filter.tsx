import { searchCharactersMax } from '#src/story/rules'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { LengthSelect } from '#src/ui/length-filter'
import { PlainSelect } from '#src/ui/select'
import { urls } from '#src/urls'
import type { MyContentFilter } from './page-queries'

/** Search, type and order of My Content as one form. With a script a choice is applied at once (apply-choices.ts). */
export function MyContentFilterForm({ filter }: { filter: MyContentFilter }) {
  const { q = '', type = '', length, sort = '' } = filter
  return (
    <form className="filters" action={urls.myContent()} method="get" data-keep="" data-apply-choices="">
      <div className="search">
        <Icon name="i-lucide-search" />
        <input
          className="input"
          type="search"
          dir="auto"
          name="q"
          defaultValue={q}
          maxLength={searchCharactersMax}
          aria-label="Search your content"
          placeholder="Search your content"
        />
      </div>
      <div className="filters-end">
        <PlainSelect
          label="Type"
          name="type"
          defaultValue={type}
          choices={[
            { value: '', label: 'All' },
            { value: 'story', label: 'Stories' },
            { value: 'flow', label: 'Flows' },
          ]}
        />
        <LengthSelect length={length} />
        <PlainSelect
          label="Sort"
          name="sort"
          defaultValue={sort || 'newest'}
          choices={[
            { value: 'newest', label: 'Newest' },
            { value: 'oldest', label: 'Oldest' },
            { value: 'duration', label: 'By Duration' },
          ]}
        />
        <noscript>
          <Button type="submit" size="sm">
            Show
          </Button>
        </noscript>
      </div>
    </form>
  )
}
