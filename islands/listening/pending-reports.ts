import { readStored, writeStored } from '#islands/runtime/browser-storage'
import { isBare } from '#src/listening/rules'
import type { ProgressReport } from '#src/listening/schema'

/** Unsent reports, one for each item and listener: a later report replaces the earlier one. */
const storageName = 'nocturne.reports'
const reportsMax = 50
/** The member who has signed out on this page. The player's last report for them is not stored. */
let leftOwner: string | null = null

/** Stores a report until it has been delivered. */
export function storeReport(report: ProgressReport): void {
  if (!report.owner || report.owner !== leftOwner) store(withReport(readAll(), report))
}

/** Removes a delivered report and the earlier reports of its item, which are obsolete. */
export function forgetReport(report: ProgressReport): void {
  const stored = readAll()
  const rest = stored.filter((each) => !isSameItem(each, report) || numberOf(each) > numberOf(report))
  if (rest.length < stored.length) store(rest)
}

/** Returns the reports of this page's viewer, and those of a visitor, which become the member's at sign-in. */
export function readReports(owner: string): ProgressReport[] {
  return readAll().filter((each) => !each.owner || each.owner === owner)
}

/** Removes a member's reports from this browser at sign-out. */
export function dropReports(owner: string): void {
  leftOwner = owner
  store(readAll().filter((each) => each.owner !== owner))
}

function readAll(): ProgressReport[] {
  try {
    const stored: unknown = JSON.parse(readStored('localStorage', storageName) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isReport) : []
  } catch {
    return []
  }
}

/**
 * Returns the list with a report in place of the item's earlier one. A completion is preserved, and a bare report does
 * not replace real listening.
 */
export function withReport(stored: readonly ProgressReport[], report: ProgressReport): ProgressReport[] {
  const before = stored.find((each) => isSameItem(each, report))
  const completed = report.completed || before?.completed
  const last = before && (numberOf(before) > numberOf(report) || isBareReport(report)) ? before : report
  const others = stored.filter((each) => !isSameItem(each, report))
  return [...others, { ...last, completed }].slice(-reportsMax)
}

function isBareReport({ lastPositionSec, reason }: ProgressReport): boolean {
  return isBare({ positionSec: lastPositionSec, reason: reason ?? null })
}

function isSameItem(a: ProgressReport, b: ProgressReport): boolean {
  return a.contentId === b.contentId && a.contentType === b.contentType && a.owner === b.owner
}

const numberOf = ({ sequence = 0 }: ProgressReport) => sequence

function store(reports: readonly ProgressReport[]): void {
  writeStored('localStorage', storageName, reports.length > 0 ? JSON.stringify(reports) : null)
}

function isReport(value: unknown): value is ProgressReport {
  return (
    typeof value === 'object' &&
    value !== null &&
    'contentId' in value &&
    'lastPositionSec' in value &&
    typeof value.lastPositionSec === 'number'
  )
}
