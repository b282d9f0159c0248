import * as t from 'typebox'
import StudioActions from '#islands/narration/studio-actions'
import { AppError } from '#src/app-error'
import { consoleUrls } from '#src/console-urls'
import { costWords } from '#src/narration/cost-words'
import { estimateNarration } from '#src/narration/estimate'
import { consolePage } from '#src/operator/console-page'
import { operatorNameOf } from '#src/request/caller'
import type { RequestContext } from '#src/request/context'
import { rerenderWithError } from '#src/request/render'
import { router } from '#src/request/router'
import { sentencesOf } from '#src/script/format/changed-sentences'
import { openText } from '#src/script/open-text'
import type { ItemText } from '#src/script/queries'
import { byPeople, type ScriptMaker } from '#src/script/rules'
import { scriptOf } from '#src/script/script-of'
import type { Services } from '#src/services'
import { isId } from '#src/shape/id'
import { missingItem } from '#src/story/require-item'
import { Island } from '#src/ui/island'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'
import { type ListedNarration, listNarrations, restoreNarration } from './earlier-narrations'
import { Narrations, Sides, type SidesProps, UnspokenNotices } from './studio-page'
import { findStudioJob } from './studio-queries'
import { listUnspoken } from './unspoken'

const makers: Record<ScriptMaker, string> = {
  author: 'by its author',
  operator: 'edited by an operator',
  model: 'by the configured model',
  'built-in': 'by the built-in enhancer',
}

const params = t.Object({ id: t.String({ maxLength: 64 }) })

/**
 * /studio/:id: the text of an item, its script and its narrations side by side, with a way to restore an earlier
 * narration.
 */
export function studioConsole(services: Services) {
  return router()
    .get('/studio/:id', ({ context, params }) => studioPage(context, params.id), {
      params,
      detail: { hide: true },
    })
    .post(
      '/studio/:id/narration',
      ({ context, params: { id }, body, caller }) =>
        rerenderWithError(
          context,
          async () => {
            await restoreNarration(services.db, id, body.id, operatorNameOf(caller))
            return `${consoleUrls.studio(id)}#sound`
          },
          ({ message }) => studioPage(context, id, message),
        ),
      { params, body: t.Object({ id: t.String({ maxLength: 64 }) }), detail: { hide: true } },
    )
}

/** `problem` says why an earlier narration cannot be used. */
async function studioPage(context: RequestContext, id: string, problem?: string): Promise<Response> {
  if (!isId(id)) throw missingItem()
  const { services, caller } = context
  const room = { room: 'Premium Content', section: 'premium-content' } as const
  if (!caller.operator) return consolePage(context, { title: 'Studio', ...room }, () => null)
  const story = await openText(services.db, id, caller.operator.name)
  const { script, updatedAt, ...made } = await scriptOf(services.db, story)
  const all = await listNarrations(services.db, story.id)
  const shown = {
    ...{ story, script, updatedAt, problem },
    sentences: (await sentencesOf(story.content)).length,
    isByHand: made.isKept && byPeople.includes(made.madeBy),
    narrations: all.filter(({ isCurrent }) => isCurrent),
    // Earlier narrations of a member's item cannot be restored: it speaks the text that was reviewed.
    earlier: story.source === 'pre_uploaded' ? all.filter(({ isCurrent }) => !isCurrent) : [],
  }
  const words = <StudioWords story={story} {...made} />
  const page = { title: story.title, ...room, words, actions: await actionsOf(services, shown) }
  return consolePage(context, page, () => studioOf(services, shown))
}

type Shown = SidesProps & {
  isByHand: boolean
  narrations: ListedNarration[]
  earlier: ListedNarration[]
  problem?: string
}

async function actionsOf(services: Services, { story, isByHand, narrations }: Shown) {
  const running = await findStudioJob(services.db, story.id)
  const props = {
    storyId: story.id,
    voice: story.voice,
    price: await priceOf(services, story),
    running: running && { id: running.id, kind: running.kind },
    isByHand,
    isUploaded: narrations.some(({ voice, provider }) => voice === story.voice && provider === 'upload'),
  }
  return <Island key={running?.id} name="studio-actions" of={StudioActions} props={props} />
}

type Made = { madeBy: ScriptMaker; isKept: boolean }

function StudioWords({ story, madeBy, isKept }: { story: ItemText } & Made) {
  return (
    <>
      {story.voice === 'female' ? 'Female' : 'Male'} voice.{' '}
      {isKept
        ? `Script ${makers[madeBy]}.`
        : 'No script is saved yet; this is what the built-in enhancer makes of it.'}{' '}
      <a href={urls.premiumContent({ edit: story.id })}>Edit the item</a>
    </>
  )
}

async function studioOf({ db }: Services, { story, narrations, earlier, problem, ...shown }: Shown) {
  return (
    <>
      {problem && <Notice kind="bad">{problem}</Notice>}
      <UnspokenNotices unspoken={await listUnspoken(db, story)} />
      <Sides story={story} {...shown} />
      <Narrations storyId={story.id} narrations={narrations} earlier={earlier} />
    </>
  )
}

/** The price of a narration. Null if the item cannot be narrated: no voice is configured, or there are no words. */
async function priceOf(services: Services, story: ItemText): Promise<string | null> {
  try {
    return costWords((await estimateNarration(services, story.id, story.voice, null)).costUsd)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}
