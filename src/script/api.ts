import * as t from 'typebox'
import { operatorNameOf } from '#src/http/caller'
import { about, router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { oneOf } from '#src/story/schema'
import { enqueueEnhancement } from './enhance-job'
import { editScript } from './keep-script'
import { findText } from './queries'
import { scriptCharactersMax, scriptMakers } from './rules'
import { scriptOf } from './script-of'

const ItemScript = t.Object({
  text: t.String({ description: "The author's text: the script without its marks." }),
  script: t.String({
    examples: ['The last boat left at ten.[pause 1s] “You’re not cold,” [whisper]she said.[/whisper]'],
  }),
  madeBy: oneOf(scriptMakers),
  isKept: t.Boolean({
    description: 'False: nobody has made one yet; this is what the built-in enhancer would make.',
  }),
  updatedAt: t.Union([t.String(), t.Null()]),
})
const params = t.Object({ id: t.String({ maxLength: 64 }) })
const marks =
  'Marks: `[pause 1.5s]`, `[emphasis]…[/emphasis]`, `[whisper]`, `[slower]`, `[softer]`, `[emotion tender]…[/emotion]`, `[speaker Mara]…[/speaker]`; `\\[` is a bracket of the text.'

/** What is spoken of an item: before and after, edited by operators, made anew as a job. */
export function scriptApi({ db }: Parts) {
  return router()
    .get('/api/stories/:id/script', async ({ params }) => findScriptOf(db, params.id), {
      params,
      response: ItemScript,
      ...about('scripts', 'Read the script of an item', marks),
    })
    .put(
      '/api/stories/:id/script',
      async ({ params, body, caller }) => {
        await editScript(db, params.id, body.script, operatorNameOf(caller))
        return findScriptOf(db, params.id)
      },
      {
        params,
        body: t.Object({
          script: t.String({ ...ItemScript.properties.script, maxLength: scriptCharactersMax }),
        }),
        response: ItemScript,
        ...about(
          'scripts',
          'Edit the script of an item',
          `Without its marks it has to be the author's text word for word. ${marks}`,
        ),
      },
    )
    .post(
      '/api/stories/:id/enhance',
      async ({ params, status }) =>
        status(201, { jobId: await enqueueEnhancement(db, params.id, aPersonWaits) }),
      {
        params,
        response: { 201: t.Object({ jobId: t.String() }) },
        ...about('scripts', 'Have the script of an item made anew', 'A job; the one before is replaced.'),
      },
    )
}

/** Before what runs in bulk. */
const aPersonWaits = 50

async function findScriptOf(db: Parts['db'], id: string) {
  const story = await findText(db, id)
  if (!story) throw new Refusal('not_found', 'There is no such item. It may have been removed.')
  return scriptOf(db, story)
}
