import { type ReactElement, useContext } from 'react'
import { renderToString } from 'react-dom/server'
import { IslandCodes } from '#src/ui/island'

const fragments = new WeakMap<object, Map<string, string>>()

/**
 * Draws the parts of a long list one by one. `draw` returns the markup of the element that `make` makes: cached with the
 * object that it shows, for as long as that lives, by `variant`. The variant names all that the markup depends on
 * besides, and nothing that one member alone has: null is not cached. Server only.
 */
export function useFragments() {
  const codes = useContext(IslandCodes)
  return function draw(
    shown: object & { id: string },
    variant: string | null,
    make: () => ReactElement,
  ): string {
    const render = () =>
      renderToString(<IslandCodes value={codes}>{make()}</IslandCodes>, { identifierPrefix: `${shown.id}-` })
    if (variant === null) return render()
    const known = fragments.get(shown) ?? new Map<string, string>()
    fragments.set(shown, known)
    const markup = known.get(variant) ?? render()
    known.set(variant, markup)
    return markup
  }
}
