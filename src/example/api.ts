import * as t from 'typebox'
import { operatorNameOf } from '#src/request/caller'
import { listChangedAndRemoved } from '#src/request/list-changed'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { ChangesQuery, Removal } from '#src/shape/changes'
import { addExample, listExamples, removeExample, reviewExample } from './examples'
import { Example, ExampleDraft, ExampleReview } from './schema'

const params = t.Object({ id: t.String({ maxLength: 64 }) })

/** API calls for training examples. Approved examples become part of prompts. */
export function exampleApi({ db }: Services) {
  return router()
    .get(
      '/api/training-examples',
      async ({ query }) =>
        listChangedAndRemoved(db, 'example', query, async () => (await listExamples(db)).map(toAnswer)),
      {
        query: t.Object(ChangesQuery),
        response: t.Array(t.Union([Example, Removal])),
        ...about('examples', 'List the training examples, the newest first'),
      },
    )
    .post(
      '/api/training-examples',
      async ({ body, caller, status }) =>
        status(201, toAnswer(await addExample(db, body, operatorNameOf(caller)))),
      {
        body: ExampleDraft,
        response: { 201: Example },
        ...about('examples', 'Add a training example', 'Not approved yet; its texts pass the guidelines.'),
      },
    )
    .patch(
      '/api/training-examples/:id',
      async ({ params: { id }, body, caller, context: { seen } }) =>
        toAnswer(await reviewExample(db, id, { ...body, seen }, operatorNameOf(caller))),
      {
        params,
        body: ExampleReview,
        response: Example,
        ...about('examples', 'Approve or rate a training example', 'What you leave out stays.'),
      },
    )
    .delete(
      '/api/training-examples/:id',
      async ({ params: { id }, caller }) => {
        await removeExample(db, id, operatorNameOf(caller))
        return { success: true }
      },
      {
        params,
        response: t.Object({ success: t.Boolean() }),
        ...about('examples', 'Remove a training example'),
      },
    )
}

function toAnswer({ createdAt, updatedAt, ...row }: Awaited<ReturnType<typeof listExamples>>[number]) {
  return { ...row, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}
