import type { Executor } from '#db/db'
import { type Finding, type JudgedText, judge, type Place } from '#src/guideline/judge'
import { findGuidelines } from '#src/guideline/queries'
import { decisionOf } from '#src/guideline/rules'
import { countAttempt } from '#src/throttle'
import { checksAMinute } from './rules'
import type { Hint } from './schema'

/** What is quoted of a place; a hostile text could make it long. */
const quoteCharactersMax = 60
const hintsMax = 5

/**
 * What the guidelines will say of a text that is being written, with the words that are meant. Nothing is kept.
 * Which built-in rule it is stays with the program.
 */
export async function checkText(db: Executor, memberId: string, text: JudgedText): Promise<Hint[]> {
  await countAttempt(db, [
    {
      key: `checks:${memberId}`,
      max: checksAMinute,
      windowSeconds: 60,
      message: 'The hints take a short rest.',
    },
  ])
  const findings = judge(await findGuidelines(db), text)
  return findings.slice(0, hintsMax).flatMap((finding) => hintOf(finding, text) ?? [])
}

function hintOf({ rule, places }: Finding, text: JudgedText): Hint | null {
  const [place] = places
  if (!place) return null
  const kind = ({ refused: 'change', held: 'review', warned: 'look' } as const)[decisionOf(rule.severity)]
  const what = rule.builtIn
    ? 'this goes against the content guidelines. Change this place.'
    : `${rule.description.replace(/[.\s]+$/, '') || 'a guideline speaks of this'}.`
  return { kind, field: place.field, message: `“${quote(text, place)}” (word ${place.firstWord}): ${what}` }
}

function quote(text: JudgedText, { field, start, end }: Place): string {
  const value = field === 'tags' ? (text.tags ?? []).join(', ') : (text[field] ?? '')
  const words = value.slice(start, end)
  return words.length > quoteCharactersMax ? `${words.slice(0, quoteCharactersMax)}…` : words
}
