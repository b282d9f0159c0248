import * as t from 'typebox'
import StudioActions from '#islands/studio-actions'
import { router } from '#src/http/router'
import { costWords } from '#src/narration/cost-words'
import { estimateNarration } from '#src/narration/estimate'
import { consolePage } from '#src/operator/console-page'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { isId } from '#src/story/rules'
import { Island } from '#src/ui/island'
import { urls } from '#src/urls'
import { findText, type ItemText } from './queries'
import type { ScriptMaker } from './rules'
import { scriptOf } from './script-of'
import { Narrations, Sides } from './studio-page'
import { findStudioJob, listCurrentNarrations } from './studio-queries'

const makers: Record<ScriptMaker, string> = {
  author: 'by its author',
  operator: 'edited by an operator',
  model: 'by the configured model',
  'built-in': 'by the built-in enhancer',
}

/** /studio/:id: the text of an item, its script and its voice, side by side. */
export function studioConsole(parts: Parts) {
  return router().get(
    '/studio/:id',
    async ({ request, context, params }) => {
      if (!isId(params.id)) throw missing()
      const room = { room: 'Premium Content', section: 'premium-content' } as const
      if (!context.caller.operator)
        return consolePage(parts, request, context, { title: 'Studio', ...room }, () => null)
      const story = await findText(parts.db, params.id)
      if (!story) throw missing()
      const page = { title: story.title, ...room, actions: await actionsOf(parts, story) }
      return consolePage(parts, request, context, page, () => studioOf(parts, story))
    },
    { params: t.Object({ id: t.String({ maxLength: 64 }) }), detail: { hide: true } },
  )
}

async function actionsOf(parts: Parts, story: ItemText) {
  const running = await findStudioJob(parts.db, story.id)
  const props = {
    storyId: story.id,
    voice: story.voice,
    price: await priceOf(parts, story),
    running: running && { id: running.id, kind: running.kind },
  }
  return <Island key={running?.id} name="studio-actions" of={StudioActions} props={props} />
}

async function studioOf({ db }: Parts, story: ItemText) {
  const { script, madeBy, isKept } = await scriptOf(db, story)
  return (
    <>
      <p className="lead">
        {story.voice === 'female' ? 'Female' : 'Male'} voice.{' '}
        {isKept
          ? `Script ${makers[madeBy]}.`
          : 'No script is kept yet; this is what the built-in enhancer makes of it.'}{' '}
        <a href={urls.premiumContent({ edit: story.id })}>Edit the item</a>
      </p>
      <Sides storyId={story.id} text={story.content} script={script} />
      <Narrations storyId={story.id} narrations={await listCurrentNarrations(db, story.id)} />
    </>
  )
}

function missing(): Refusal {
  return new Refusal('not_found', 'There is no such item. It may have been removed.')
}

/** Null where nobody can speak it: no voice is configured, or there are no words. */
async function priceOf(parts: Parts, story: ItemText): Promise<string | null> {
  try {
    return costWords((await estimateNarration(parts, story.id, story.voice, null)).costUsd)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
