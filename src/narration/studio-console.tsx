import * as t from 'typebox'
import StudioActions from '#islands/narration/studio-actions'
import { AppError } from '#src/app-error'
import { costWords } from '#src/narration/cost-words'
import { estimateNarration } from '#src/narration/estimate'
import { consolePage } from '#src/operator/console-page'
import { router } from '#src/request/router'
import { openText } from '#src/script/open-text'
import type { ItemText } from '#src/script/queries'
import { byPeople, type ScriptMaker } from '#src/script/rules'
import { scriptOf } from '#src/script/script-of'
import type { Services } from '#src/services'
import { isId } from '#src/shape/id'
import { missingItem } from '#src/story/require-item'
import { Island } from '#src/ui/island'
import { urls } from '#src/urls'
import { Narrations, Sides, type SidesProps, UnspokenNotices } from './studio-page'
import { type CurrentNarration, findStudioJob, listCurrentNarrations } from './studio-queries'
import { listUnspoken } from './unspoken'

const makers: Record<ScriptMaker, string> = {
  author: 'by its author',
  operator: 'edited by an operator',
  model: 'by the configured model',
  'built-in': 'by the built-in enhancer',
}

/** /studio/:id: the text of an item, its script and its voice, side by side. */
export function studioConsole(services: Services) {
  return router().get(
    '/studio/:id',
    async ({ context, params }) => {
      if (!isId(params.id)) throw missingItem()
      const room = { room: 'Premium Content', section: 'premium-content' } as const
      const { operator } = context.caller
      if (!operator) return consolePage(context, { title: 'Studio', ...room }, () => null)
      const story = await openText(services.db, params.id, operator.name)
      const { script, updatedAt, ...made } = await scriptOf(services.db, story)
      const shown = {
        ...{ story, script, updatedAt },
        isByHand: made.isKept && byPeople.includes(made.madeBy),
        narrations: await listCurrentNarrations(services.db, story.id),
      }
      const words = <StudioWords story={story} {...made} />
      const page = { title: story.title, ...room, words, actions: await actionsOf(services, shown) }
      return consolePage(context, page, () => studioOf(services, shown))
    },
    { params: t.Object({ id: t.String({ maxLength: 64 }) }), detail: { hide: true } },
  )
}

type Shown = SidesProps & { isByHand: boolean; narrations: CurrentNarration[] }

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
        : 'No script is kept yet; this is what the built-in enhancer makes of it.'}{' '}
      <a href={urls.premiumContent({ edit: story.id })}>Edit the item</a>
    </>
  )
}

async function studioOf({ db }: Services, { story, script, updatedAt, narrations }: Shown) {
  return (
    <>
      <UnspokenNotices unspoken={await listUnspoken(db, story)} />
      <Sides story={story} script={script} updatedAt={updatedAt} />
      <Narrations storyId={story.id} narrations={narrations} />
    </>
  )
}

/** Null where it cannot be narrated: no voice is configured, or there are no words. */
async function priceOf(services: Services, story: ItemText): Promise<string | null> {
  try {
    return costWords((await estimateNarration(services, story.id, story.voice, null)).costUsd)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}
