import type { Executor } from '#db/db'
import { type Finding, type JudgedText, judge, type MatchPlace } from '#src/guideline/judge'
import { findGuidelines } from '#src/guideline/queries'
import { decisionOf } from '#src/guideline/rules'
import { consumeRateLimit } from '#src/security/rate-limit'
import { checksAMinute } from './rules'
import type { Hint } from './schema'

/** Maximum characters quoted from a place, which a hostile text could make long. */
const quoteCharactersMax = 60
const hintsMax = 5

/**
 * Returns the guidelines' findings in an unfinished text, with the words that they concern. Nothing is stored. Which
 * built-in rule matched is not revealed.
 */
export async function checkText(db: Executor, memberId: string, text: JudgedText): Promise<Hint[]> {
  await consumeRateLimit(db, [
    {
      key: `checks:${memberId}`,
      max: checksAMinute,
      windowSeconds: 60,
      message: 'Hints are paused for a moment.',
    },
  ])
  const findings = await judge(await findGuidelines(db), text)
  return findings.slice(0, hintsMax).flatMap((finding) => hintOf(finding, text) ?? [])
}

function hintOf({ rule, places }: Finding, text: JudgedText): Hint | null {
  const [place] = places
  if (!place) return null
  const kind = ({ refused: 'change', held: 'review', warned: 'look' } as const)[decisionOf(rule.severity)]
  const what = rule.builtIn
    ? 'this goes against the content guidelines. Change this place.'
    : `${rule.description.replace(/[.\s]+$/, '') || 'a guideline covers this'}.`
  return { kind, field: place.field, message: `“${quote(text, place)}” (word ${place.firstWord}): ${what}` }
}

function quote(text: JudgedText, { field, start, end }: MatchPlace): string {
  const value = field === 'tags' ? (text.tags ?? []).join(', ') : (text[field] ?? '')
  const words = value.slice(start, end)
  return words.length > quoteCharactersMax ? `${words.slice(0, quoteCharactersMax)}…` : words
}
