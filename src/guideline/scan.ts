import { and, asc, eq, gt, inArray, ne } from 'drizzle-orm'
import * as t from 'typebox'
import { Value } from 'typebox/value'
import type { Database, Executor } from '#db/db'
import { guidelineDecisions, jobs, stories } from '#db/schema'
import { enqueue } from '#src/job/enqueue'
import type { JobHandler } from '#src/job/worker'
import { sha256 } from '#src/keyed-hash'
import { libraryChanged } from '#src/story/library-changed'
import { holdFrom } from '#src/story/rules'
import { builtInVersion } from './built-in'
import { type DecisionRecord, hashOf } from './decide'
import { type Finding, judge } from './judge'
import { findGuidelines } from './queries'
import { recordDecisions } from './record'
import { decisionOf } from './rules'

export const scanKind = 'guideline_scan'
const Payload = t.Object({ ruleId: t.Union([t.String(), t.Null()]) })
export type ScanResult = { read: number; held: number; warned: number }

/** Items that are read and judged before the next are fetched. */
const itemsAtOnce = 200
/** Behind everything that somebody waits for. */
const scanPriority = 200

/** Has the library read again by one rule, or by all. In a transaction it begins to exist with the commit. */
export function enqueueScan(db: Executor, ruleId: string | null, key = crypto.randomUUID()): Promise<string> {
  return enqueue(db, {
    kind: scanKind,
    dedupeKey: sha256(`${ruleId}\n${key}`),
    payload: { ruleId },
    priority: scanPriority,
  })
}

/**
 * Reads the library by changed rules. What a blocking or high rule finds is held for review: it was let in
 * once, so an operator decides. What an operator has approved, by the same version of the rule and for the
 * same text, stays.
 */
export function scanHandler({ db }: { db: Database }): JobHandler {
  return async (job, { signal, progress }): Promise<ScanResult> => {
    const { ruleId } = Value.Decode(Payload, job.payload)
    const guidelines = await findGuidelines(db)
    const result: ScanResult = { read: 0, held: 0, warned: 0 }
    const total = await db.$count(stories, ne(stories.status, 'removed'))
    for (let after: string | null = null; ; ) {
      signal.throwIfAborted()
      const items = await nextItems(db, after)
      if (items.length === 0) break
      for (const item of items) {
        const findings = judge(guidelines, item).filter(({ rule }) => ruleId === null || rule.id === ruleId)
        if (findings.length > 0) await settle(db, item, findings, result)
        // The program answers requests between two items.
        await Bun.sleep(0)
      }
      result.read += items.length
      after = items.at(-1)?.id ?? null
      progress(result.read / Math.max(1, total))
    }
    if (result.held > 0) await libraryChanged(db)
    return result
  }
}

type Item = Awaited<ReturnType<typeof nextItems>>[number]

function nextItems(db: Executor, after: string | null) {
  return db
    .select({
      id: stories.id,
      status: stories.status,
      title: stories.title,
      description: stories.description,
      excerpt: stories.excerpt,
      content: stories.content,
      tags: stories.tags,
      categories: stories.categories,
    })
    .from(stories)
    .where(and(ne(stories.status, 'removed'), after ? gt(stories.id, after) : undefined))
    .orderBy(asc(stories.id))
    .limit(itemsAtOnce)
}

async function settle(
  db: Database,
  item: Item,
  findings: readonly Finding[],
  result: ScanResult,
): Promise<void> {
  const textHash = hashOf(item)
  const known = await db
    .select({
      ruleId: guidelineDecisions.ruleId,
      ruleVersion: guidelineDecisions.ruleVersion,
      decision: guidelineDecisions.decision,
    })
    .from(guidelineDecisions)
    .where(and(eq(guidelineDecisions.storyId, item.id), eq(guidelineDecisions.textHash, textHash)))
  const isKnown = ({ rule }: Finding, decisions: readonly string[]) =>
    known.some(
      (each) =>
        each.ruleId === rule.id && each.ruleVersion === rule.version && decisions.includes(each.decision),
    )
  const fresh = findings.filter((finding) => !isKnown(finding, ['approved', 'held', 'warned']))
  const isHeld = fresh.some(({ rule }) => decisionOf(rule.severity) !== 'warned')
  await db.transaction(async (tx) => {
    await recordDecisions(
      tx,
      fresh.map(({ rule, places }): DecisionRecord & { storyId: string } => ({
        storyId: item.id,
        actor: 'nocturne',
        door: 'scan',
        ruleId: rule.id,
        ruleVersion: rule.version,
        severity: rule.severity,
        decision: decisionOf(rule.severity) === 'warned' ? 'warned' : 'held',
        places: places.map(({ field, start, end }) => ({ field, start, end })),
        textHash,
      })),
    )
    if (isHeld)
      await tx
        .update(stories)
        .set(holdFrom(item.status))
        .where(and(eq(stories.id, item.id), inArray(stories.status, ['draft', 'scheduled', 'published'])))
  })
  if (isHeld && item.status !== 'held') result.held += 1
  if (fresh.some(({ rule }) => decisionOf(rule.severity) === 'warned')) result.warned += 1
}

/** The library is read once by each version of the built-in rules. */
export async function scanByBuiltIn(db: Database): Promise<void> {
  const key = sha256(`built-in\n${builtInVersion}`)
  const known = await db.$count(jobs, and(eq(jobs.kind, scanKind), eq(jobs.dedupeKey, key)))
  if (known > 0) return
  await enqueue(db, { kind: scanKind, dedupeKey: key, payload: { ruleId: null }, priority: scanPriority })
}
