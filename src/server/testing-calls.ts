import type { ApiDocument } from '#src/server/api-document'
import type { JsonSchema } from '#src/server/api-examples'
import { routes } from '#src/server/routes'
import type { Browser } from '#src/testing/app'

/** Every call of the API document, with the sign-outs last. */
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
      // After a sign-out, the caller cannot try anything else.
      .sort((a, b) => Number(a.path.endsWith('logout')) - Number(b.path.endsWith('logout')))
  )
}

export type ApiCall = ReturnType<typeof listCalls>[number]

/** Inlines the shapes that a schema refers to. */
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
 * The text's UTF-8 with every byte percent-encoded. An address of ".", ".." or nothing would be resolved to another one
 * before it arrives, so `%20` replaces it.
 */
export function percentEncoded(text: string): string {
  const shown = /^\.{0,2}$/.test(text) ? '%20' : text
  // Text that begins with `%`, such as an encoded lone surrogate, is sent as it is.
  return /^%/.test(shown) ? shown : Buffer.from(shown).toString('hex').replace(/../g, '%$&')
}
