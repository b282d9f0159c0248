import type { ReactNode } from 'react'
import { itemMinutes } from '#src/story/narrator-words'
import type { Item } from '#src/story/schema'
import { Cover } from '#src/ui/cover'
import { urls } from '#src/urls'

/** A row of books; on phones it scrolls sideways within itself. */
export function Shelf({
  id,
  title,
  items,
  more,
}: {
  id: string
  title: ReactNode
  items: readonly Item[]
  more: { href: string; label: string }
}) {
  return (
    <section className="section" aria-labelledby={id}>
      <div className="section-head">
        <h2 className="title-md" id={id}>
          {title}
        </h2>
        <a className="link" href={more.href}>
          {more.label}
        </a>
      </div>
      <Books items={items} />
    </section>
  )
}

export function Books({ items }: { items: readonly Item[] }) {
  return (
    <div className="shelf-scroll">
      {items.map((item) => (
        <a key={item.id} className="shelf-item" href={urls.item(item)}>
          <Cover title={item.title} shape="book" />
          <span className="title-sm">{item.title}</span>
          <span className="meta">
            {item.type === 'flow' ? 'Flow' : 'Story'} · {itemMinutes(item)} min
          </span>
        </a>
      ))}
    </div>
  )
}
