import { and, eq, inArray } from 'drizzle-orm'
import * as t from 'typebox'
import { Value } from 'typebox/value'
import type { Database, Executor, Transaction } from '#db/db'
import { contentGuidelines, jobs, stories } from '#db/schema'
import { builtInVersion } from '#src/guideline/built-in'
import { type DecisionRecord, hashOf } from '#src/guideline/decide'
import { type Finding, type Guidelines, judge, makeGuidelinesOf } from '#src/guideline/judge'
import { findGuideline, findGuidelines, type ListedGuideline } from '#src/guideline/queries'
import { recordDecisions } from '#src/guideline/record'
import { type Decision, isHolding, isMatched } from '#src/guideline/rules'
import { enqueue } from '#src/job/enqueue'
import { priorities } from '#src/job/rules'
import type { JobHandler } from '#src/job/run-job'
import { recordChange } from '#src/operator/audit'
import { createTimeSlicer } from '#src/process/time-slice'
import { sha256 } from '#src/security/keyed-hash'
import { libraryChanged } from '#src/story/library-changed'
import { holdFrom } from '#src/story/rules'
import { findKnownDecisions, isApproved, isKnown } from './known-decisions'
import { isInLibrary, type LibraryText, readTexts, withLockedTexts } from './library-texts'
import { releaseHeld } from './release'

export const scanKind = 'guideline_scan'
const Payload = t.Object({
  ruleId: t.Union([t.String(), t.Null()]),
  /** The operator who changed the rule. */
  by: t.Optional(t.String()),
})
export type ScanResult = { read: number; held: number; warned: number; released: number }

/**
 * Enough attempts for hours, so that the items of a withdrawn rule are released even after a long outage of the
 * database.
 */
const scanAttemptsMax = 20

/**
 * Queues a scan of the library after a rule was added, changed or deleted. Within a transaction, the job exists once it
 * commits.
 */
export function enqueueScan(db: Executor, ruleId: string, { by }: { by: string }): Promise<string> {
  return enqueue(db, {
    kind: scanKind,
    dedupeKey: sha256(`${ruleId}\n${crypto.randomUUID()}`),
    payload: { ruleId, by },
    priority: priorities.scan,
    attemptsMax: scanAttemptsMax,
  })
}

/** Queues a scan with the built-in rules, once for each version of them. */
export async function scanByBuiltIn(db: Database): Promise<void> {
  const key = sha256(`built-in\n${builtInVersion}`)
  const known = await db.$count(jobs, and(eq(jobs.kind, scanKind), eq(jobs.dedupeKey, key)))
  if (known > 0) return
  await enqueue(db, {
    kind: scanKind,
    dedupeKey: key,
    payload: { ruleId: null },
    priority: priorities.scan,
    attemptsMax: scanAttemptsMax,
  })
}

/**
 * Returns the handler that applies a changed rule, or all rules, to the library. It first releases held items that the
 * rule no longer finds. Then it scans the library: items that a blocking or high rule finds are held for an operator,
 * not refused, since they were accepted once. Approved items stay.
 */
export function scanHandler({ db }: { db: Database }) {
  return async (...[job, { signal, progress }]: Parameters<JobHandler>): Promise<ScanResult> => {
    const { ruleId, by = 'nocturne' } = Value.Decode(Payload, job.payload)
    const released = ruleId === null ? 0 : await releaseHeld(db, ruleId, { by, signal })
    const result: ScanResult = { read: 0, held: 0, warned: 0, released }
    const scan = await planScan(db, ruleId, by)
    if (!scan) return result
    const total = await db.$count(stories, isInLibrary)
    for await (const items of readTexts(db)) {
      signal.throwIfAborted()
      const found = await judgeTexts(scan.guidelines, items)
      const recorded = await withLockedTexts(db, [...found.keys()], async (tx, locked) => {
        const each = await recordFound(tx, scan, locked, found)
        if (each !== 'changed') await recordHold(tx, scan, each.held)
        return each
      })
      // If the rule was changed meanwhile, the scan for that change is already queued.
      if (recorded.includes('changed')) return result
      for (const each of recorded) if (each !== 'changed') add(result, each)
      if (recorded.some((each) => each !== 'changed' && each.held.length > 0)) await libraryChanged(db)
      result.read += items.length
      progress(result.read / Math.max(1, total))
    }
    return result
  }
}

type Scan = { guidelines: Guidelines; rule: ListedGuideline | null; by: string }
type Found = { findings: Finding[]; textHash: string }
/** The ids of the items that were held, and the number of items with other findings. */
type Recorded = { held: string[]; warned: number }

async function planScan(db: Database, ruleId: string | null, by: string): Promise<Scan | null> {
  if (ruleId === null) return { guidelines: await findGuidelines(db), rule: null, by }
  const rule = await findGuideline(db, ruleId)
  if (!rule?.isActive || !isMatched(rule)) return null
  return { guidelines: makeGuidelinesOf(rule), rule, by }
}

/** Finds what the guidelines find in some texts, by item id. */
export async function judgeTexts(
  guidelines: Guidelines,
  items: readonly LibraryText[],
): Promise<Map<string, Found>> {
  const found = new Map<string, Found>()
  const pause = createTimeSlicer()
  for (const item of items) {
    const findings = await judge(guidelines, item)
    if (findings.length > 0) found.set(item.id, { findings, textHash: hashOf(item) })
    await pause()
  }
  return found
}

function add(result: ScanResult, { held, warned }: Recorded): void {
  result.held += held.length
  result.warned += warned
}

/**
 * Records the findings and holds the items; `recordHold` writes the audit entry. A text that was changed meanwhile is
 * skipped, since the change judged it.
 */
export async function recordFound(
  tx: Transaction,
  { rule }: Scan,
  locked: readonly LibraryText[],
  found: ReadonlyMap<string, Found>,
): Promise<Recorded | 'changed'> {
  if (rule && !(await isInForce(tx, rule))) return 'changed'
  const known = await findKnownDecisions(tx, locked)
  const fresh = locked.flatMap((item) => {
    const { findings, textHash } = found.get(item.id) ?? { findings: [], textHash: '' }
    if (textHash !== hashOf(item) || item.status === 'removed') return []
    const own = known.get(item.id)
    // An item that was held before, and has another status since it was restored after a refusal, is held again.
    const recorded: Decision[] = item.status === 'held' ? ['held', 'warned'] : ['warned']
    const unknown = findings.filter(
      (finding) => !isApproved(finding, own) && !isKnown(finding, own, recorded),
    )
    return unknown.length > 0 ? [{ item, findings: unknown, textHash }] : []
  })
  await recordDecisions(
    tx,
    fresh.flatMap(({ item, findings, textHash }) =>
      findings.map((finding) => ({ ...recordOf(finding, textHash), storyId: item.id })),
    ),
  )
  const held = fresh
    .filter(({ item, findings }) => item.status !== 'held' && findings.some(isHoldingFinding))
    .map(({ item }) => item)
  await holdItems(tx, held)
  const warned = fresh.filter(({ findings }) => findings.some((each) => !isHoldingFinding(each)))
  return { held: held.map(({ id }) => id), warned: warned.length }
}

/**
 * Whether a rule is still in force. Locks it until the transaction ends, so that it is not withdrawn while items are
 * held.
 */
async function isInForce(tx: Transaction, { id, version }: ListedGuideline): Promise<boolean> {
  const rows = await tx
    .select({ id: contentGuidelines.id })
    .from(contentGuidelines)
    .where(
      and(
        eq(contentGuidelines.id, id),
        eq(contentGuidelines.version, version),
        eq(contentGuidelines.isActive, true),
      ),
    )
    .for('share')
  return rows.length > 0
}

function isHoldingFinding({ rule }: Finding): boolean {
  return isHolding(rule.severity)
}

function recordOf({ rule, places }: Finding, textHash: string): DecisionRecord {
  return {
    actor: 'nocturne',
    source: 'scan',
    ruleId: rule.id,
    ruleVersion: rule.version,
    severity: rule.severity,
    decision: isHolding(rule.severity) ? 'held' : 'warned',
    places: places.map(({ field, start, end }) => ({ field, start, end })),
    textHash,
  }
}

async function holdItems(tx: Transaction, items: readonly LibraryText[]): Promise<void> {
  for (const [status, those] of Map.groupBy(items, (item) => item.status)) {
    const ids = those.map(({ id }) => id)
    await tx.update(stories).set(holdFrom(status)).where(inArray(stories.id, ids))
  }
}

/** Records the held items in one audit entry. */
export async function recordHold(
  tx: Transaction,
  { rule, by }: Pick<Scan, 'rule' | 'by'>,
  held: readonly string[],
): Promise<void> {
  if (held.length === 0) return
  await recordChange(tx, by, {
    action: 'hold',
    subjectType: 'guideline',
    subjectId: rule?.id ?? null,
    after: { held: held.length, items: held },
  })
}
