import * as t from 'typebox'
import type { RequestContext } from '#src/http/context'
import { answerOf } from '#src/http/errors'
import { redirect } from '#src/http/redirect'
import { renderPage, viewerOf } from '#src/http/render'
import { router } from '#src/http/router'
import { safePath } from '#src/http/safe-path'
import type { Parts } from '#src/parts'
import type { Item } from '#src/story/schema'
import { urls } from '#src/urls'
import { requireOpenItem } from './open-item'
import { findOpinion } from './queries'
import { rateItem } from './rate'
import { RatingForm } from './rating-form'
import {
  commentsCharactersMax,
  feedbackTagCharactersMax,
  feedbackTagsMax,
  ratingMax,
  ratingMin,
} from './rules'
import { type Feedback, Vote } from './schema'
import { voteFor } from './vote'

const params = t.Object({ id: t.String({ maxLength: 64 }) })
const tag = t.String({ maxLength: feedbackTagCharactersMax })
const form = { params, detail: { hide: true } }

/** Votes and stars as plain forms: they lead back to where they were sent from, a visitor to the sign-in. */
export function votePages(parts: Parts) {
  const { db } = parts
  return router()
    .post(
      '/vote/:id',
      async ({ params: { id }, body: { voteType, next }, context }) =>
        say(context, id, next, (memberId) => voteFor(db, memberId, id, voteType)),
      { ...form, body: t.Composite([Vote, t.Object({ next: t.Optional(t.String({ maxLength: 500 })) })]) },
    )
    .post(
      '/rate/:id',
      async ({ params: { id }, body: { rating, comments, tags = [] }, request, context }) => {
        const given = { rating: Number(rating), comments, tags: [tags].flat() }
        try {
          return await say(context, id, undefined, (memberId) => rateItem(db, memberId, id, given))
        } catch (error) {
          const { status, message } = answerOf(error, parts.log, context.id)
          if (status !== 422 && status !== 429) throw error
          return formPage(request, context, id, given, { status, error: message })
        }
      },
      {
        ...form,
        body: t.Object({
          // Radio buttons send text.
          rating: t.String({ pattern: `^[${ratingMin}-${ratingMax}]$`, error: 'Choose one to five stars' }),
          comments: t.Optional(t.String({ maxLength: commentsCharactersMax })),
          tags: t.Optional(t.Union([tag, t.Array(tag, { maxItems: feedbackTagsMax })])),
        }),
      },
    )

  async function say(
    { caller: { member } }: RequestContext,
    id: string,
    next: string | undefined,
    work: (memberId: string) => Promise<unknown>,
  ): Promise<Response> {
    const item = await requireOpenItem(db, member?.id ?? null, id)
    if (!member) return redirect(urls.signIn({ next: urls.item(item) }))
    await work(member.id)
    return redirect(next ? safePath(next) : opinionOf(item))
  }

  /** What was refused, as it was typed, and why. */
  async function formPage(
    request: Request,
    context: RequestContext,
    id: string,
    given: Feedback,
    { status, error }: { status: number; error: string },
  ): Promise<Response> {
    const memberId = context.caller.member?.id ?? null
    const item = await requireOpenItem(db, memberId, id)
    const { averageRating, totalRatings } = await findOpinion(db, memberId, id)
    return renderPage(parts, request, await viewerOf(parts, context), {
      status,
      meta: { title: 'What did you think', isIndexed: false },
      body: (
        <div className="report-page">
          <h1 className="title-lg">What did you think of “{item.title}”</h1>
          <RatingForm
            itemId={item.id}
            title={item.title}
            rating={given.rating}
            comments={given.comments ?? ''}
            tags={given.tags ?? []}
            {...{ averageRating, totalRatings, error }}
          />
          <a className="link" href={opinionOf(item)}>
            Back to “{item.title}”
          </a>
        </div>
      ),
    })
  }
}

const opinionOf = (item: Item) => `${urls.item(item)}#opinion`
