import { categoryLabel, shownCategoriesMax } from '#src/story/rules'

/** The categories of an item to show: three at most, then "+2 more". */
export function listShownCategories(categories: readonly string[]): string[] {
  const shown = categories.slice(0, shownCategoriesMax).map(categoryLabel)
  const rest = categories.length - shown.length
  return rest > 0 ? [...shown, `+${rest} more`] : shown
}

export function Tags({ categories, className }: { categories: readonly string[]; className?: string }) {
  if (categories.length === 0) return null
  return (
    <div className={['tags', className].filter(Boolean).join(' ')}>
      {listShownCategories(categories).map((label) => (
        <span key={label} className="tag">
          {label}
        </span>
      ))}
    </div>
  )
}
