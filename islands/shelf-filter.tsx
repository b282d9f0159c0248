import { Search } from 'lucide-react'
import { useHydrated } from '#islands/use-hydrated'
import type { ShelfFilter } from '#src/shelf/user-content'
import { searchCharactersMax } from '#src/story/rules'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { PlainSelect } from '#src/ui/select'
import { urls } from '#src/urls'

/** Search, type and order of My Content as one form; with a script a choice counts at once. */
export default function ShelfFilterForm({ filter }: { filter: ShelfFilter }) {
  const isHydrated = useHydrated()
  const { q = '', type = '', sort = '' } = filter
  return (
    <form
      className="filters"
      action={urls.myContent()}
      method="get"
      data-keep=""
      onChange={({ target, currentTarget }) =>
        target instanceof HTMLSelectElement && currentTarget.requestSubmit()
      }
    >
      <div className="search">
        <Icon of={Search} />
        <input
          className="input"
          type="search"
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
        {!isHydrated && (
          <Button type="submit" size="sm">
            Show
          </Button>
        )}
      </div>
    </form>
  )
}
