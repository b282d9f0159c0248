import { categoryLabel, type ItemType, itemTypes } from '#src/story/rules'

/** Links to stories and to flows. */
export function TypeSegment({ type, hrefOf }: { type: ItemType; hrefOf: (type: ItemType) => string }) {
  return (
    <nav className="segment" aria-label="Content type" data-keep="">
      {itemTypes.map((each) => (
        <a key={each} href={hrefOf(each)} aria-current={each === type || undefined}>
          {each === 'story' ? 'Stories' : 'Flows'}
        </a>
      ))}
    </nav>
  )
}

/** Links to ALL and to the categories that the server names. `hrefOf` gets null for ALL. */
export function CategoryChips({
  categories,
  current,
  hrefOf,
}: {
  categories: readonly string[]
  current: string | null
  hrefOf: (category: string | null) => string
}) {
  return (
    <nav className="chips" aria-label="Categories" data-keep="">
      <a className="chip" href={hrefOf(null)} aria-current={current === null || undefined}>
        ALL
      </a>
      {categories.map((category) => (
        <a
          key={category}
          className="chip"
          href={hrefOf(category)}
          aria-current={category === current || undefined}
        >
          {categoryLabel(category)}
        </a>
      ))}
    </nav>
  )
}
