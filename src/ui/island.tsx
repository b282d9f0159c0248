import { type ComponentType, createContext, createElement, useContext, useId } from 'react'
import { renderToString } from 'react-dom/server'
import { keepResults } from '#src/kept'
import { toDataBlock } from '#src/ui/data-block'

/** When an island's code is fetched and the markup comes to life. */
export type IslandWhen = 'load' | 'visible' | 'idle'

/** Where the loader finds the islands of this build; the document provides it. */
export const IslandCodes = createContext<Record<string, string>>({})

/** An island's first markup depends on its props alone, or it could not hydrate: so it is rendered once. */
const keptMarkup = keepResults<string>(2_000)
/** What is longer (a whole script) is an operator's, seen once: 2,000 of them would fill the memory. */
const keptCharactersMax = 20_000

/**
 * A part of a page that comes to life in the browser. `name` is its file in islands/, `of` the component
 * that file exports by default; `props` are plain data, since they travel as JSON. Server only.
 *
 * The markup is rendered apart, with a prefix of its own: the ids of useId then are the same when it hydrates.
 */
export function Island<Props extends object>({
  name,
  of: Component,
  props,
  when = 'load',
  id,
}: {
  name: string
  of: ComponentType<Props>
  props: Props
  when?: IslandWhen
  /** The prefix of the ids inside, where something outside of the island refers to them. */
  id?: string
}) {
  const code = useContext(IslandCodes)[name]
  const place = useId()
  const prefix = `${id ?? name + place}-`
  const data = toDataBlock(props)
  const render = () => renderToString(createElement(Component, props), { identifierPrefix: prefix })
  const markup =
    data.length > keptCharactersMax ? render() : keptMarkup(`${name}\n${prefix}\n${data}`, render)
  return createElement(
    'nocturne-island',
    { 'data-name': name, 'data-code': code, 'data-when': when, 'data-prefix': prefix },
    // biome-ignore lint/security/noDangerouslySetInnerHtml: React itself made this markup
    createElement('nocturne-root', { dangerouslySetInnerHTML: { __html: markup } }),
    createElement('script', {
      type: 'application/json',
      // biome-ignore lint/security/noDangerouslySetInnerHtml: toDataBlock escapes what could end the block
      dangerouslySetInnerHTML: { __html: data },
    }),
  )
}
