import type { AnyElysia } from 'elysia'
import { type ApiDocument, describeApi } from '#src/http/api-document'
import { about, router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { urls } from '#src/urls'

/** The document for machines and its page for people, which needs nothing from outside. */
export function apiDocs(parts: Parts, app: () => AnyElysia) {
  let document: ApiDocument | undefined
  return router()
    .get(
      '/api/openapi.json',
      () => {
        document ??= describeApi(app(), parts.env)
        return document
      },
      about('docs', 'This document'),
    )
    .get(
      '/api/docs',
      () => new Response(page(parts), { headers: { 'content-type': 'text/html; charset=utf-8' } }),
      { detail: { hide: true } },
    )
}

function page({ assets, env }: Parts): string {
  const file = (name: string) => urls.asset(assets.manifest.files[name] ?? '')
  const title = `${env.siteName} API`.replace(/[<&]/g, '')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<link rel="icon" href="${file('favicon.svg')}" type="image/svg+xml"><link rel="stylesheet" href="${file('swagger-ui.css')}"></head>
<body><div id="docs" data-document="${urls.openapi()}"></div><script src="${file('swagger-ui-bundle.js')}"></script><script src="${file('api-docs.js')}"></script></body></html>`
}
