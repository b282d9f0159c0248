import * as t from 'typebox'
import { priorities } from '#src/job/rules'
import { operatorNameOf } from '#src/request/caller'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { enqueueEnhancement } from './enhance-job'
import { openText } from './open-text'
import { scriptCharactersMax, scriptMakers } from './rules'
import { scriptOf } from './script-of'
import { editScript } from './store-script'

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

/** Routes of items' scripts: reading them beside the text, editing them, and generating them again as a job. */
export function scriptApi({ db }: Services) {
  return router()
    .get(
      '/api/stories/:id/script',
      async ({ params, caller }) => findScriptOf(db, params.id, operatorNameOf(caller)),
      {
        params,
        response: ItemScript,
        ...about('scripts', 'Read the script of an item', marks),
      },
    )
    .put(
      '/api/stories/:id/script',
      async ({ params, body, caller, context: { seen } }) => {
        const by = operatorNameOf(caller)
        await editScript(db, params.id, { source: body.script, seen }, by)
        return findScriptOf(db, params.id, by)
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
        status(201, { jobId: await enqueueEnhancement(db, params.id, priorities.person) }),
      {
        params,
        response: { 201: t.Object({ jobId: t.String() }) },
        ...about(
          'scripts',
          'Make the script of an item again',
          'Starts a job; the current script is replaced.',
        ),
      },
    )
}

async function findScriptOf(db: Services['db'], id: string, by: string) {
  return scriptOf(db, await openText(db, id, by))
}
