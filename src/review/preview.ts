import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import { isAmongIds, isHeldByAlone, listItemIds } from '#src/guideline/holds'
import { type Finding, judge, makeGuidelinesOf } from '#src/guideline/judge'
import { type PlannedRule, planRule } from '#src/guideline/plan-rule'
import {
  decisionOf,
  isHolding,
  isMatched,
  previewExamplesMax,
  previewMs,
  quietItemsMax,
  quietShareMax,
  shareWords,
} from '#src/guideline/rules'
import type { GuidelinePreview, PreviewRequest } from '#src/guideline/schema'
import { createTimeSlicer } from '#src/process/time-slice'
import { inContext } from './in-context'
import { findKnownDecisions, isApproved } from './known-decisions'
import { isInLibrary, type LibraryText, readTexts } from './library-texts'

/**
 * Previews the effect of a rule, or of a change of one, without changing anything. Throws what adding or changing it
 * would: `invalid`, `not_found`, `built_in`.
 */
export async function previewGuideline(
  db: Executor,
  { ruleId, rule }: PreviewRequest,
  limits: Limits = {},
): Promise<GuidelinePreview> {
  return previewRule(db, await planRule(db, ruleId ?? null, rule), limits)
}

/**
 * Scans the library with one rule: counts the items that it would newly hold, and those that would be released because
 * only this rule holds them. Approved items stay. If the scan takes longer than five seconds, the preview covers a part
 * of the library and says so; `signal` aborts the scan.
 */
export async function previewRule(
  db: Executor,
  rule: PlannedRule,
  limits: Limits = {},
): Promise<GuidelinePreview> {
  const total = await db.$count(stories, isInLibrary)
  const counts = { read: total, held: 0, alreadyHeld: 0, approved: 0, warned: 0 }
  const examples: GuidelinePreview['examples'] = []
  if (rule.isActive && isMatched(rule)) {
    counts.read = 0
    await judgeTexts(rule, readTexts(db), limits, async (found, read) => {
      counts.read += read
      await count(db, found, counts, examples)
    })
  }
  const released = await countReleased(db, rule, limits)
  return describe(rule, {
    ...counts,
    total,
    released: released.count,
    isComplete: counts.read >= total && released.isComplete,
    examples,
  })
}

type Limits = { signal?: AbortSignal; timeMs?: number }

/**
 * Reports the rule's findings for each page of texts, and how many texts were read. Returns false if the time was not
 * enough for all.
 */
async function judgeTexts(
  rule: PlannedRule,
  pages: ReturnType<typeof readTexts>,
  { signal, timeMs = previewMs }: Limits,
  report: (found: readonly Found[], read: number) => Promise<void> | void,
): Promise<boolean> {
  const until = performance.now() + timeMs
  const guidelines = makeGuidelinesOf(rule)
  const pause = createTimeSlicer()
  for await (const items of pages) {
    const found: Found[] = []
    let read = 0
    for (const item of items) {
      if (signal?.aborted || performance.now() > until) break
      const [finding] = await judge(guidelines, item)
      if (finding) found.push({ item, finding })
      read += 1
      await pause()
    }
    await report(found, read)
    if (read < items.length) return false
  }
  return true
}

type Found = { item: LibraryText; finding: Finding }
type Counts = Pick<GuidelinePreview, 'read' | 'held' | 'alreadyHeld' | 'approved' | 'warned'>

async function count(
  db: Executor,
  found: readonly Found[],
  counts: Counts,
  examples: GuidelinePreview['examples'],
): Promise<void> {
  const known = await findKnownDecisions(
    db,
    found.map(({ item }) => item),
  )
  for (const { item, finding } of found) {
    if (!isHolding(finding.rule.severity)) counts.warned += 1
    else if (isApproved(finding, known.get(item.id))) counts.approved += 1
    else if (item.status === 'held') counts.alreadyHeld += 1
    else {
      counts.held += 1
      if (examples.length < previewExamplesMax) examples.push(...exampleOf(item, finding))
    }
  }
}

function exampleOf(item: LibraryText, { places }: Finding): GuidelinePreview['examples'] {
  // Members' private items are counted, but not shown.
  if (!item.isOpenToOperators) return []
  // An excerpt only repeats the beginning of the text.
  const place = places.find(({ field }) => field !== 'excerpt') ?? places[0]
  if (!place) return []
  return [
    { id: item.id, title: item.title, status: item.status, field: place.field, ...inContext(item, place) },
  ]
}

/** Counts the items that would be released: those that only this rule holds, and that it no longer finds. */
async function countReleased(
  db: Executor,
  rule: PlannedRule,
  limits: Limits,
): Promise<{ count: number; isComplete: boolean }> {
  const isOver = !rule.isActive || !isMatched(rule) || !isHolding(rule.severity)
  const isHeld = isHeldByAlone(rule.id)
  if (rule.id === '') return { count: 0, isComplete: true }
  if (isOver) return { count: await db.$count(stories, isHeld), isComplete: true }
  let count = 0
  const ids = await listItemIds(db, isHeld)
  const isComplete = await judgeTexts(rule, readTexts(db, isAmongIds(ids)), limits, (found, read) => {
    count += read - found.length
  })
  return { count, isComplete }
}

function describe(
  rule: PlannedRule,
  counts: Counts & Pick<GuidelinePreview, 'total' | 'released' | 'isComplete' | 'examples'>,
): GuidelinePreview {
  const { held, total, isComplete } = counts
  const effect = rule.isActive && isMatched(rule) ? decisionOf(rule.severity) : 'passed'
  return {
    ...counts,
    decision: effect,
    needsConfirmation:
      isHolding(rule.severity) && (held > quietItemsMax || held > total * quietShareMax || !isComplete),
    message: wordsOf(counts, effect),
  }
}

function wordsOf(
  { held, warned, read, total, released, isComplete }: Parameters<typeof describe>[1],
  decision: GuidelinePreview['decision'],
): string {
  const verb = decision === 'warned' ? 'warn of' : 'hold'
  const count = decision === 'warned' ? warned : held
  const least = isComplete ? '' : 'At least '
  const back =
    released > 0 ? ` ${least}${released.toLocaleString('en')} that it alone holds would go back.` : ''
  if (decision === 'passed') return `This would hold nothing.${back}`
  const later = decision === 'refused' ? ' New texts with these words would be refused.' : ''
  return `This would ${verb} ${shareWords(count, { read, total })}.${later}${back}`
}
