import { itemMinutes } from '#src/story/narrator-words'
import type { Item } from '#src/story/schema'
import { joinFacts } from '#src/text/join-facts'
import { Cover } from '#src/ui/cover'
import { urls } from '#src/urls'

/** A row of items, shown as covers. On phones it scrolls sideways. */
export function CoverRow({ items }: { items: readonly Item[] }) {
  return (
    <div className="cover-row">
      {items.map((item) => (
        <a key={item.id} className="cover-link" href={urls.item(item)}>
          <Cover title={item.title} shape="book" />
          <span className="title-sm">{item.title}</span>
          <span className="meta">
            {joinFacts(item.type === 'flow' ? 'Flow' : 'Story', `${itemMinutes(item)} min`)}
          </span>
        </a>
      ))}
    </div>
  )
}
