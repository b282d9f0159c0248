import * as t from 'typebox'
import type { Script, ScriptNode } from '#src/script/format/script'
import { oneOf } from '#src/shape/one-of'
import { orNull } from '#src/shape/or-null'
import { emotions, pauseSecondsMax, plainMarks, speakerCharactersMax } from './rules'

/** Leaves out our custom keywords, since model servers refuse keywords that they do not know. */
const named = <const T extends readonly string[]>(values: T) => oneOf(values, { error: undefined })

/**
 * Schema of a model's output: the text in pieces, each with its style. Structured output works best with a flat list in
 * which every field is named. `scriptOfPieces` converts it to a script, and `fitScript` checks that.
 */
export const ScriptPieces = t.Object(
  {
    pieces: t.Array(
      t.Object(
        {
          text: t.String({ description: "The author's words, unchanged, with their punctuation." }),
          marks: t.Array(named(plainMarks), { description: 'How it is said; often none.' }),
          emotion: orNull(named(emotions)),
          speaker: orNull(t.String({ description: 'Who says it, where it is speech; else null.' })),
          pauseSecondsAfter: t.Number({
            description: `Silence after it, beyond what punctuation asks for: 0 to ${pauseSecondsMax}, mostly 0.`,
          }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
export type ScriptPieces = t.Static<typeof ScriptPieces>

/** Converts a model's pieces to a script. Values outside of their limits are clamped. */
export function scriptOfPieces({ pieces }: ScriptPieces): Script {
  return pieces.flatMap(({ text, marks, emotion, speaker, pauseSecondsAfter }) => {
    let node: ScriptNode = { kind: 'text', text }
    for (const mark of plainMarks) if (marks.includes(mark)) node = { kind: mark, children: [node] }
    if (emotion) node = { kind: 'emotion', emotion, children: [node] }
    const name = speakerName(speaker)
    if (name) node = { kind: 'speaker', name, children: [node] }
    const seconds = Math.round(Math.min(pauseSecondsMax, Math.max(0, pauseSecondsAfter)) * 1_000) / 1_000
    return seconds > 0 ? [node, { kind: 'pause', seconds } as const] : [node]
  })
}

function speakerName(name: string | null): string {
  const plain = (name ?? '').replace(/[[\]\\\s]+/g, ' ').trim()
  return [...plain].slice(0, speakerCharactersMax).join('').trim()
}
