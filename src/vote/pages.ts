import * as t from 'typebox'
import type { RequestContext } from '#src/http/context'
import { router } from '#src/http/router'
import { safePath } from '#src/http/safe-path'
import type { Parts } from '#src/parts'
import type { Item } from '#src/story/schema'
import { urls } from '#src/urls'
import { requireOpenItem } from './open-item'
import { rateItem } from './rate'
import {
  commentsCharactersMax,
  feedbackTagCharactersMax,
  feedbackTagsMax,
  ratingMax,
  ratingMin,
} from './rules'
import { Vote } from './schema'
import { voteFor } from './vote'

const params = t.Object({ id: t.String({ maxLength: 64 }) })
const tag = t.String({ maxLength: feedbackTagCharactersMax })
const form = { params, detail: { hide: true } }

/** Votes and stars as plain forms: they lead back to where they were sent from, a visitor to the sign-in. */
export function votePages({ db }: Parts) {
  return router()
    .post(
      '/vote/:id',
      async ({ params: { id }, body: { voteType, next }, context }) =>
        say(context, id, next, (memberId) => voteFor(db, memberId, id, voteType)),
      { ...form, body: t.Composite([Vote, t.Object({ next: t.Optional(t.String({ maxLength: 500 })) })]) },
    )
    .post(
      '/rate/:id',
      async ({ params: { id }, body: { rating, comments, tags = [] }, context }) =>
        say(context, id, undefined, (memberId) =>
          rateItem(db, memberId, id, { rating: Number(rating), comments, tags: [tags].flat() }),
        ),
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
}

const opinionOf = (item: Item) => `${urls.item(item)}#opinion`

function redirect(path: string): Response {
  return new Response(null, { status: 303, headers: { location: path } })
}
