import type { AnyElysia } from 'elysia'
import type { RequestContext } from '#src/request/context'
import { isDiscreet } from '#src/request/discreet-cookie'
import { about, router } from '#src/request/router'
import type { ApiDocument } from '#src/server/api-document'
import type { Services } from '#src/services'
import { discreetTitle } from '#src/ui/discreet'
import { urls } from '#src/urls'

/** Routes of the API document and of its page for people, which loads nothing from other hosts. */
export function apiDocs(services: Services, app: () => AnyElysia) {
  let document: ApiDocument | undefined
  return router()
    .get(
      '/api/openapi.json',
      async ({ context }) => {
        const { describeApi } = await import('#src/server/api-document')
        document ??= describeApi(app(), services.env)
        const { info } = document
        return isDiscreet(context)
          ? { ...document, info: Object.assign({}, info, { title: `${discreetTitle} API` }) }
          : document
      },
      about('docs', 'This document'),
    )
    .get(
      '/api/docs',
      ({ context }) =>
        new Response(page(context), { headers: { 'content-type': 'text/html; charset=utf-8' } }),
      { detail: { hide: true } },
    )
}

function page(context: RequestContext): string {
  const { assets, env } = context.services
  const isQuiet = isDiscreet(context)
  const file = (name: string) => urls.asset(assets.manifest.files[name] ?? '')
  const title = `${isQuiet ? discreetTitle : env.siteName} API`.replace(/[<&]/g, '')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<link rel="icon" href="${file(isQuiet ? 'plain.svg' : 'favicon.svg')}" type="image/svg+xml"><link rel="stylesheet" href="${file('swagger-ui.css')}"></head>
<body><div id="docs" data-document="${urls.openapi()}"></div><script src="${file('swagger-ui-bundle.js')}"></script><script src="${file('api-docs.js')}"></script></body></html>`
}
