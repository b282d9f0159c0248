import { ButtonLink } from '#src/ui/button'
import { Icon } from '#src/ui/icon'

/** A search as an ordinary GET form. `clearHref` is set while something is filtered. */
export function SearchForm({
  action,
  label,
  name = 'q',
  value = '',
  maxLength,
  hidden = {},
  clearHref,
}: {
  action: string
  label: string
  name?: string
  value?: string
  maxLength?: number
  /** Further query parameters of the address: the chosen category. */
  hidden?: Record<string, string | undefined>
  clearHref?: string
}) {
  return (
    <search className="filters">
      <form className="search" action={action} method="get" data-keep="">
        <Icon name="i-lucide-search" />
        <input
          className="input"
          type="search"
          dir="auto"
          name={name}
          defaultValue={value}
          maxLength={maxLength}
          aria-label={label}
          placeholder={label}
          id={`search-${name}`}
        />
        {Object.entries(hidden).map(
          ([key, value]) => value && <input key={key} type="hidden" name={key} value={value} />,
        )}
      </form>
      {clearHref && (
        <ButtonLink kind="ghost" href={clearHref} data-keep="">
          Clear Filters
        </ButtonLink>
      )}
    </search>
  )
}
