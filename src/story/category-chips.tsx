import { type Category, categories, categoryLabel } from './rules'

/** Categories as toggle chips. Browser-safe. */
export function CategoryToggles({
  chosen,
  onChange,
}: {
  chosen: readonly Category[]
  onChange: (chosen: Category[]) => void
}) {
  const toggle = (category: Category) =>
    onChange(chosen.includes(category) ? chosen.filter((each) => each !== category) : [...chosen, category])
  return (
    <fieldset className="stack-sm">
      <legend className="label">Categories</legend>
      <div className="chips chips-wrap">
        {categories.map((category) => (
          <button
            key={category}
            className="chip"
            type="button"
            aria-pressed={chosen.includes(category)}
            onClick={() => toggle(category)}
          >
            {categoryLabel(category)}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
