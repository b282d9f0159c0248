import * as t from 'typebox'

const count = (description: string, example: number) =>
  t.Integer({ minimum: 0, description, examples: [example] })

/** The present state of the demo library, and what removing it would do. */
export const DemoState = t.Object({
  stories: count('Demo stories that would go.', 25),
  flows: count('Demo flows that would go.', 9),
  challenges: count('Demo challenges that would be unpublished.', 2),
  kept: t.Array(
    t.Object({
      id: t.String(),
      title: t.String({ examples: ['The Night Ferry'] }),
      reason: t.String({ examples: ['It was changed since.'] }),
    }),
    { description: 'Demo items that operators have made their own: these stay.' },
  ),
  takenAway: count('Demo items that were removed, and can be restored.', 0),
})
export type DemoState = t.Static<typeof DemoState>
