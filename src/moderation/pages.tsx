import * as t from 'typebox'
import type { RequestContext } from '#src/http/context'
import { answerOf } from '#src/http/errors'
import { renderPage, viewerOf } from '#src/http/render'
import { router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { findItem } from '#src/story/queries'
import type { Item } from '#src/story/schema'
import { ButtonLink } from '#src/ui/button'
import { urls } from '#src/urls'
import { reportItem } from './report'
import { ReportForm, type ReportFormProps, reportWords } from './report-form'
import { reportThanks } from './rules'
import { Report } from './schema'

const params = t.Object({ id: t.String({ maxLength: 64 }) })

/** /report/{id}: the form without a script, and its thanks. */
export function moderationPages(parts: Parts) {
  return router()
    .get(
      '/report/:id',
      async ({ params: { id }, request, context }) => formPage(parts, request, context, id),
      {
        params,
        detail: { hide: true },
      },
    )
    .post(
      '/report/:id',
      async ({ params: { id }, body, request, context }) => {
        const { member, addressHash } = context.caller
        try {
          await reportItem(parts.db, id, body, { memberId: member?.id ?? null, addressHash })
        } catch (error) {
          const { status, message } = answerOf(error, parts.log, context.id)
          if (status !== 422 && status !== 429) throw error
          return formPage(parts, request, context, id, { given: body, error: message, status })
        }
        return thanksPage(parts, request, context, id)
      },
      { params, body: Report, detail: { hide: true } },
    )
}

type Refused = Pick<ReportFormProps, 'given' | 'error'> & { status?: number }

async function formPage(
  parts: Parts,
  request: Request,
  context: RequestContext,
  id: string,
  { status, ...form }: Refused = {},
): Promise<Response> {
  const item = await requireItem(parts, context, id)
  return renderPage(parts, request, await viewerOf(parts, context), {
    status,
    meta: { title: 'Report', isIndexed: false },
    body: (
      <div className="report-page">
        <h1 className="title-lg">Report “{item.title}”</h1>
        <p className="lead">{reportWords}</p>
        <ReportForm itemId={item.id} isMember={context.caller.member !== null} {...form} />
        <a className="link" href={urls.item(item)}>
          Back to “{item.title}”
        </a>
      </div>
    ),
  })
}

async function thanksPage(parts: Parts, request: Request, context: RequestContext, id: string) {
  const item = await requireItem(parts, context, id)
  return renderPage(parts, request, await viewerOf(parts, context), {
    meta: { title: 'Thank you', isIndexed: false },
    body: (
      <div className="empty">
        <h1 className="title-lg">Thank you</h1>
        <p>{reportThanks}</p>
        <ButtonLink href={urls.item(item)}>Back to “{item.title}”</ButtonLink>
      </div>
    ),
  })
}

async function requireItem({ db }: Parts, { caller }: RequestContext, id: string): Promise<Item> {
  const item = await findItem(db, { id }, 'none', caller.member?.id ?? null)
  if (!item) throw new Refusal('not_found', 'There is no such item. It may have been removed.')
  return item
}
