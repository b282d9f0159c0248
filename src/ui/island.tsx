import { type ComponentType, createContext, createElement, type ReactNode, useContext, useId } from 'react'
import { renderToString } from 'react-dom/server'
import { memoize } from '#src/process/memoize'
import { toDataBlock } from '#src/ui/data-block'

/**
 * When an island's code is loaded and the markup hydrated: with the page, when it comes into view, when the page is
 * idle; when a person first moves, scrolls or types; or with the first press or focus in it. After that one the others
 * that wait for a press are hydrated as they come into view, since they show the same state.
 */
type IslandWhen = 'load' | 'visible' | 'idle' | 'use' | 'press'

/** Where the loader finds the islands of this build; the document provides it. */
export const IslandCodes = createContext<Record<string, string>>({})

/** An island's first markup depends on its props alone, or it could not hydrate: so it is cached. */
const cachedMarkup = memoize<string>(2_000)
/** Longer props (a whole script) are an operator's, rendered once: 2,000 of them would fill the memory. */
const cachedCharactersMax = 20_000

type IslandProps<Props extends object> = {
  /** Its file in islands/. */
  name: string
  /** Plain data, since they travel as JSON. */
  props: Props
  when?: IslandWhen
  /**
   * A selector of what, outside of the island, wakes it when pressed. Such an island shows nothing before that, and its
   * component is rendered in the browser alone.
   */
  presses?: string
  /** The prefix of the ids inside, where something outside of the island refers to them. */
  id?: string
} & (
  | {
      /** The component that the file exports by default. */
      of: ComponentType<Props>
      children?: undefined
    }
  | {
      of?: undefined
      /** The markup for an island without React, whose file exports `mount`. */
      children: ReactNode
    }
)

/**
 * A part of a page that is hydrated in the browser. Server only.
 *
 * The markup of a component is rendered apart, with a prefix of its own, so that the ids of useId are the same when it
 * hydrates.
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
    const render = () => renderToString(createElement(Component, props), { identifierPrefix: prefix })
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
