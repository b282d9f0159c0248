import * as t from 'typebox'
import CreateFormIsland from '#islands/create-form'
import { isOn } from '#src/flag/flags'
import type { RequestContext } from '#src/http/context'
import { answerOf } from '#src/http/errors'
import { redirect } from '#src/http/redirect'
import { renderPage, viewerOf } from '#src/http/render'
import { router } from '#src/http/router'
import { findModel } from '#src/model/configuration'
import { type Narrator, narratorOfVoice, narrators } from '#src/narration/rules'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { categories } from '#src/story/rules'
import { Island } from '#src/ui/island'
import { urls } from '#src/urls'
import { createOwn } from './create'
import type { CreateKind, Problem, Writing } from './create-form'
import { CreateHead, VisitorNotice } from './create-head'
import { editOwn } from './edit'
import { requireOwn } from './find-own'
import { findLimits } from './limits'
import { creationCharactersMax } from './rules'

const text = (maxLength: number) => t.Optional(t.String({ maxLength }))
const Form = t.Object({
  kind: text(10),
  edit: text(64),
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

/** The create screen, opening on audio or on story, and its form without a script. */
export function creationPages(parts: Parts) {
  const { db } = parts
  const hide = { detail: { hide: true } }
  return router()
    .get(
      '/create',
      async ({ request, context, query }) => {
        const memberId = context.caller.member?.id
        if (!query.edit || !memberId)
          return screen(parts, request, context, { kind: 'audio', writing: empty })
        const item = await requireOwn(db, memberId, query.edit)
        return screen(parts, request, context, { kind: 'audio', itemId: item.id, writing: writingOf(item) })
      },
      { query: t.Object({ edit: t.Optional(t.String({ maxLength: 64 })) }), ...hide },
    )
    .get(
      '/create-stories',
      async ({ request, context }) => screen(parts, request, context, { kind: 'story', writing: empty }),
      hide,
    )
    .post(
      '/create',
      async ({ request, context, body }) => {
        const writing = readWriting(body)
        try {
          await save(parts, context, body, writing)
          return redirect(urls.myContent())
        } catch (error) {
          const answer = answerOf(error, parts.log, context.id)
          if (answer.status >= 500) throw error
          return screen(parts, request, context, {
            kind: body.kind === 'story' ? 'story' : 'audio',
            itemId: body.edit,
            writing,
            problem: { field: answer.fields?.[0]?.path ?? null, message: answer.message },
            // The address itself is open to all: the form comes back, whoever sent it.
            status: answer.status === 401 ? 422 : answer.status,
          })
        }
      },
      { body: Form, ...hide },
    )
}

async function save(parts: Parts, { caller }: RequestContext, body: Form, writing: Writing): Promise<void> {
  if (!caller.member)
    throw new Refusal('sign_in_required', 'Sign up or sign in in another tab, then press Save here again.')
  const { narrator: voice, ...written } = writing
  const draft = {
    ...written,
    categories: categories.filter((each) => written.categories.includes(each)),
    voice,
  }
  requireFilled(draft)
  if (body.edit) await editOwn(parts, caller.member.id, body.edit, draft)
  else await createOwn(parts, caller.member.id, { ...draft, narrate: body.narrate === 'yes' })
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
    if (isMissing) throw new Refusal('invalid', message, { fields: [{ path, message }] })
}

function readWriting({ title = '', content = '', categories: chosen = [], voice }: Form): Writing {
  return {
    title,
    content: content.replace(/\r\n/g, '\n'),
    categories: typeof chosen === 'string' ? [chosen] : chosen,
    narrator: narratorNamed(voice) ?? narratorOfVoice.female,
  }
}

function writingOf(item: Awaited<ReturnType<typeof requireOwn>>): Writing {
  const { title, content, categories: chosen, voice } = item
  const named = voice === 'female' ? item.narratorFemale : item.narratorMale
  return { title, content, categories: chosen, narrator: narratorNamed(named) ?? narratorOfVoice[voice] }
}

function narratorNamed(name: string | null | undefined): Narrator | undefined {
  return narrators.find((each) => each === name)
}

type Screen = {
  kind: CreateKind
  itemId?: string
  writing: Writing
  problem?: Problem
  status?: number
}

async function screen(
  parts: Parts,
  request: Request,
  context: RequestContext,
  { kind, itemId, writing, problem, status }: Screen,
): Promise<Response> {
  const { db, env } = parts
  const memberId = context.caller.member?.id ?? null
  const [viewer, limits, model, mayDraft] = await Promise.all([
    viewerOf(parts, context),
    memberId ? findLimits(db, env, memberId) : null,
    findModel(parts),
    isOn(db, 'modelDrafting'),
  ])
  return renderPage(parts, request, viewer, {
    status,
    section: kind === 'audio' ? 'create' : 'create-stories',
    meta: { title: titleOf(kind, itemId), isIndexed: false },
    body: (
      <>
        <CreateHead title={titleOf(kind, itemId)} kind={itemId ? null : kind} />
        {memberId === null && (
          <VisitorNotice next={kind === 'audio' ? urls.create() : urls.createStories()} />
        )}
        <Island
          name="create-form"
          of={CreateFormIsland}
          props={{
            kind,
            memberId,
            limits,
            wordsMax: env.memberWordsMax,
            isDrafting: mayDraft && model !== null,
            itemId,
            writing,
            problem: problem ?? null,
          }}
        />
      </>
    ),
  })
}

function titleOf(kind: CreateKind, itemId: string | undefined): string {
  if (itemId) return 'Edit'
  return kind === 'audio' ? 'Create Audios' : 'Create Stories'
}
