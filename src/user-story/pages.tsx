import * as t from 'typebox'
import CreateFormIsland from '#islands/user-story/create-form'
import { AppError } from '#src/app-error'
import { isFeatureOn } from '#src/feature-flag/flags'
import { ownerOf } from '#src/member/sign-in/owner'
import { findModel } from '#src/model/configuration'
import { requireUserContent } from '#src/my-content/queries'
import { narratorOfVoice, narrators } from '#src/narration/rules'
import type { RequestContext } from '#src/request/context'
import { renderPage, rerenderWithError } from '#src/request/render'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { categories } from '#src/story/rules'
import type { FormError } from '#src/ui/field-problem'
import { Island } from '#src/ui/island'
import { urls } from '#src/urls'
import { createUserStory } from './create'
import type { CreateKind, Edited } from './create-form'
import { CreateHead, VisitorNotice } from './create-head'
import { editUserStory } from './edit'
import { requireUserStory } from './find-own'
import { findLimits } from './limits'
import { creationCharactersMax, type Writing, writingOf } from './rules'

const text = (maxLength: number) => t.Optional(t.String({ maxLength }))
const Form = t.Object({
  kind: text(10),
  edit: text(64),
  seen: text(40),
  title: text(1_000),
  content: text(creationCharactersMax * 2),
  categories: t.Optional(
    t.Union([t.String({ maxLength: 40 }), t.Array(t.String({ maxLength: 40 }), { maxItems: 20 })]),
  ),
  voice: text(40),
  narrate: text(10),
})
type Form = t.Static<typeof Form>

const empty: Writing = { title: '', content: '', categories: ['romantic'], narrator: narratorOfVoice.female }

/** The create screen, for audio or story, and its form without a script. */
export function userStoryPages(services: Services) {
  const { db } = services
  const hide = { detail: { hide: true } }
  return router()
    .get(
      '/create',
      async ({ context, query }) => {
        const memberId = context.caller.member?.id
        if (!query.edit || !memberId) return screen(context, { kind: 'audio', writing: empty })
        const { id } = await requireUserStory(db, memberId, query.edit)
        const item = await requireUserContent(db, memberId, id)
        return screen(context, {
          kind: 'audio',
          edited: { id, seen: item.updatedAt },
          writing: writingOf(item),
        })
      },
      { query: t.Object({ edit: t.Optional(t.String({ maxLength: 64 })) }), ...hide },
    )
    .get('/create-stories', async ({ context }) => screen(context, { kind: 'story', writing: empty }), hide)
    .post(
      '/create',
      async ({ context, body }) => {
        const writing = readWriting(body)
        const work = async () => {
          await save(context, body, writing)
          return urls.myContent()
        }
        const kind = body.kind === 'story' ? 'story' : 'audio'
        return rerenderWithError(context, work, (problem) =>
          screen(context, {
            kind,
            edited: body.edit ? { id: body.edit, seen: body.seen ?? '' } : null,
            writing,
            problem,
          }),
        )
      },
      { body: Form, ...hide },
    )
}

async function save({ caller, services }: RequestContext, body: Form, writing: Writing): Promise<void> {
  // Everyone may post to this route, so that the form can be shown again to whoever sent it.
  if (!caller.member)
    throw new AppError('invalid', 'Sign up or sign in in another tab, then press Save here again.')
  const { narrator: voice, ...written } = writing
  const draft = {
    ...written,
    categories: categories.filter((each) => written.categories.includes(each)),
    voice,
  }
  requireFilled(draft)
  const seen = body.seen ? [body.seen] : undefined
  if (body.edit) await editUserStory(services, caller.member.id, body.edit, { ...draft, seen })
  else await createUserStory(services, caller.member.id, { ...draft, narrate: body.narrate === 'yes' })
}

function requireFilled({
  title,
  content,
  categories: chosen,
}: Pick<Writing, 'title' | 'content' | 'categories'>) {
  const missing: [string, boolean, string][] = [
    ['title', title.trim() === '', 'Give it a title.'],
    ['content', content.trim() === '', 'Write, or paste a text.'],
    ['categories', chosen.length === 0, 'Choose at least one category.'],
  ]
  for (const [path, isMissing, message] of missing)
    if (isMissing) throw new AppError('invalid', message, { fields: [{ path, message }] })
}

function readWriting({ title = '', content = '', categories: chosen = [], voice }: Form): Writing {
  return {
    title,
    content: content.replace(/\r\n/g, '\n'),
    categories: typeof chosen === 'string' ? [chosen] : chosen,
    narrator: narrators.find((each) => each === voice) ?? narratorOfVoice.female,
  }
}

type Screen = {
  kind: CreateKind
  edited?: Edited | null
  writing: Writing
  problem?: FormError
}

async function screen(
  context: RequestContext,
  { kind, edited = null, writing, problem }: Screen,
): Promise<Response> {
  const { services } = context
  const { db, env } = services
  const { member } = context.caller
  const [limits, model, mayDraft] = await Promise.all([
    member ? findLimits(db, env, member.id) : null,
    findModel(services),
    isFeatureOn(db, 'modelDrafting'),
  ])
  return renderPage(context, {
    section: kind === 'audio' ? 'create' : 'create-stories',
    meta: { title: titleOf(kind, edited), isIndexed: false },
    body: (
      <>
        <CreateHead title={titleOf(kind, edited)} kind={edited ? null : kind} />
        {!member && <VisitorNotice next={kind === 'audio' ? urls.create() : urls.createStories()} />}
        <Island
          name="create-form"
          of={CreateFormIsland}
          props={{
            kind,
            owner: ownerOf(services.secrets, member),
            limits,
            wordsMax: env.memberWordsMax,
            isDrafting: mayDraft && model !== null,
            edited,
            writing,
            problem: problem ?? null,
          }}
        />
      </>
    ),
  })
}

function titleOf(kind: CreateKind, edited: Edited | null): string {
  if (edited) return 'Edit'
  return kind === 'audio' ? 'Create Audios' : 'Create Stories'
}
