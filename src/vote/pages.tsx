import * as t from 'typebox'
import { AppError } from '#src/app-error'
import { redirect } from '#src/http/redirect'
import { safePath } from '#src/http/safe-path'
import type { RequestContext } from '#src/request/context'
import { renderPage, rerenderWithError } from '#src/request/render'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { requireOpenItem } from '#src/story/require-item'
import type { Item } from '#src/story/schema'
import { urls } from '#src/urls'
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

/** Votes and ratings as plain forms. They redirect to the page they were sent from; visitors to the sign-in. */
export function votePages(services: Services) {
  const { db } = services
  return router()
    .post(
      '/vote/:id',
      async ({ params: { id }, body: { voteType, next }, context }) =>
        submit(context, id, next, (memberId) => voteFor(db, memberId, id, voteType)),
      { ...form, body: t.Composite([Vote, t.Object({ next: t.Optional(t.String({ maxLength: 500 })) })]) },
    )
    .post(
      '/rate/:id',
      async ({ params: { id }, body: { rating, comments, tags = [] }, context }) => {
        // The sign-in carries a comment; stars alone are quickly pressed again.
        if (comments && !context.caller.member) throw new AppError('sign_in_required', 'Sign in to rate it.')
        const given = { rating: Number(rating), comments, tags: [tags].flat() }
        const rate = () => submit(context, id, undefined, (memberId) => rateItem(db, memberId, id, given))
        return rerenderWithError(context, rate, ({ message }) => formPage(context, id, given, message))
      },
      {
        ...form,
        body: t.Object({
          // Radio buttons are sent as text.
          rating: t.String({ pattern: `^[${ratingMin}-${ratingMax}]$`, error: 'Choose one to five stars' }),
          comments: t.Optional(t.String({ maxLength: commentsCharactersMax })),
          tags: t.Optional(t.Union([tag, t.Array(tag, { maxItems: feedbackTagsMax })])),
        }),
      },
    )

  /** Runs an action for a member and redirects back; a visitor is redirected to the sign-in. */
  async function submit(
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

  /** Renders the form again after a refusal, with the input and the reason. */
  async function formPage(
    context: RequestContext,
    id: string,
    given: Feedback,
    error: string,
  ): Promise<Response> {
    const memberId = context.caller.member?.id ?? null
    const item = await requireOpenItem(db, memberId, id)
    const { averageRating, totalRatings } = await findOpinion(db, memberId, id)
    return renderPage(context, {
      meta: { title: 'What did you think?', isIndexed: false },
      body: (
        <div className="report-page">
          <h1 className="title-lg">What did you think of “{item.title}”?</h1>
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
