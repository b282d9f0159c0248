import type { ApiDocument } from '#src/server/api-document'
import type { JsonSchema } from '#src/server/api-examples'
import { routes } from '#src/server/routes'
import type { Browser } from '#src/testing/app'

/** Every call of the API document, signing out last. */
export function listCalls(document: ApiDocument) {
  return (
    Object.entries(document.paths)
      .flatMap(([path, methods]) =>
        Object.entries(methods)
          .filter(([method]) => method !== 'head')
          .map(([method, operation]) => ({
            name: `${method.toUpperCase()} ${path}`,
            method: method.toUpperCase(),
            path,
            parameters: (operation.parameters ?? []).filter((each) => each.in !== 'header'),
            body: written(operation.requestBody?.content['application/json']?.schema, document),
            takes: routes[`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`]?.body,
            answers: operation.responses ?? {},
          })),
      )
      // After signing out a caller can try nothing more.
      .sort((a, b) => Number(a.path.endsWith('logout')) - Number(b.path.endsWith('logout')))
  )
}

export type ApiCall = ReturnType<typeof listCalls>[number]

/** A schema with the shapes written out that it refers to. */
function written(
  schema: JsonSchema | undefined,
  { components }: Pick<ApiDocument, 'components'>,
): JsonSchema | undefined {
  return (
    JSON.parse(JSON.stringify(schema ?? null), (_, value) => {
      const name = value?.$ref?.replace('#/components/schemas/', '')
      return name ? written(components.schemas[name], { components }) : value
    }) ?? undefined
  )
}

/** The Cookie header that a browser would send. */
export function cookieOf({ jar }: Browser): string {
  return [...jar].map((pair) => pair.join('=')).join('; ')
}

/**
 * Every byte of the text's UTF-8, percent-encoded; "." and ".." would be resolved to another address before they
 * arrive.
 */
export function percentEncoded(text: string): string {
  const shown = /^\.{0,2}$/.test(text) ? '%20' : text
  // Lone surrogates are sent as they are.
  return /^%/.test(shown) ? shown : Buffer.from(shown).toString('hex').replace(/../g, '%$&')
}
