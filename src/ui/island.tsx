import { type ComponentType, createContext, createElement, type ReactNode, useContext, useId } from 'react'
import { renderToString } from 'react-dom/server'
import { memoize } from '#src/process/memoize'
import { toDataBlock } from '#src/ui/data-block'
import { countIds, ElementIds } from '#src/ui/element-id'

/**
 * When an island's code is loaded and its markup hydrated: with the page; when it comes into view; when the page is
 * idle; when a person first moves, scrolls or types; or on the first press or focus in it. After one `press` island was
 * hydrated, the others follow as they come into view, since they show the same state.
 */
type IslandWhen = 'load' | 'visible' | 'idle' | 'use' | 'press'

/** The codes by which the loader finds the islands of this build. The document provides them. */
export const IslandCodes = createContext<Record<string, string>>({})

/** Cache of islands' first markup. It depends on the props alone, as hydration requires. */
const cachedMarkup = memoize<string>(2_000)
/**
 * Longer props (a whole script) are not cached: an operator's page renders them once, and 2,000 of them would fill the
 * memory.
 */
const cachedCharactersMax = 20_000

type IslandProps<Props extends object> = {
  /** The name of its file in islands/. */
  name: string
  /** Plain data, because they are sent as JSON. */
  props: Props
  when?: IslandWhen
  /**
   * A selector of elements outside of the island that hydrate it when pressed. Such an island shows nothing before
   * that, and its component is rendered only in the browser.
   */
  presses?: string
  /** The prefix of the ids inside, needed if something outside of the island refers to them. */
  id?: string
} & (
  | {
      /** The default export of the file. */
      of: ComponentType<Props>
      children?: undefined
    }
  | {
      of?: undefined
      /** The markup of an island without React, whose file exports `mount`. */
      children: ReactNode
    }
)

/**
 * A part of a page that is hydrated in the browser. Server only.
 *
 * The component is rendered separately, with its own prefix of ids, so that they are the same on hydration.
 */
export function Island<Props extends object>({
  name,
  of: Component,
  props,
  when = 'load',
  presses,
  id,
  children,
}: IslandProps<Props>) {
  const code = useContext(IslandCodes)[name]
  const place = useId()
  const prefix = `${id ?? name + place}-`
  const data = toDataBlock(props)
  const markupOf = (Component: ComponentType<Props>) => {
    const render = () =>
      renderToString(createElement(ElementIds, { value: countIds(prefix) }, createElement(Component, props)))
    return data.length > cachedCharactersMax ? render() : cachedMarkup(`${name}\n${prefix}\n${data}`, render)
  }
  return createElement(
    'nocturne-island',
    {
      'data-name': name,
      'data-code': code,
      'data-when': when,
      'data-presses': presses,
      'data-prefix': prefix,
    },
    Component && presses === undefined
      ? // biome-ignore lint/security/noDangerouslySetInnerHtml: React itself made this markup
        createElement('nocturne-root', { dangerouslySetInnerHTML: { __html: markupOf(Component) } })
      : createElement('nocturne-root', null, children),
    createElement('script', {
      type: 'application/json',
      // biome-ignore lint/security/noDangerouslySetInnerHtml: toDataBlock escapes what could end the block
      dangerouslySetInnerHTML: { __html: data },
    }),
  )
}
