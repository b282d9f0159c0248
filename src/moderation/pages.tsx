import * as t from 'typebox'
import type { RequestContext } from '#src/request/context'
import { renderPage, rerenderWithError } from '#src/request/render'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { requireOpenItem } from '#src/story/require-item'
import { ButtonLink } from '#src/ui/button'
import { urls } from '#src/urls'
import { reportItem } from './report'
import { ReportForm, type ReportFormProps, reportWords } from './report-form'
import { reportThanks } from './rules'
import { Report } from './schema'

const params = t.Object({ id: t.String({ maxLength: 64 }) })

/** The page /report/{id}: the form without a script, and its confirmation. */
export function moderationPages(services: Services) {
  return router()
    .get('/report/:id', async ({ params: { id }, context }) => formPage(context, id), {
      params,
      detail: { hide: true },
    })
    .post(
      '/report/:id',
      async ({ params: { id }, body, context }) => {
        const { member, addressHash } = context.caller
        const report = async () => {
          await reportItem(services.db, id, body, { memberId: member?.id ?? null, addressHash })
          return thanksPage(context, id)
        }
        return rerenderWithError(context, report, (problem) =>
          formPage(context, id, { given: body, problem }),
        )
      },
      { params, body: Report, detail: { hide: true } },
    )
}

async function formPage(
  context: RequestContext,
  id: string,
  form: Pick<ReportFormProps, 'given' | 'problem'> = {},
): Promise<Response> {
  const item = await requireOpenItem(context.services.db, context.caller.member?.id ?? null, id)
  return renderPage(context, {
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

async function thanksPage(context: RequestContext, id: string) {
  const item = await requireOpenItem(context.services.db, context.caller.member?.id ?? null, id)
  return renderPage(context, {
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
