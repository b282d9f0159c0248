import { keepStored, readStored } from '#islands/browser-storage'
import { isBare } from '#src/listening/rules'
import type { ProgressReport } from '#src/listening/schema'

/** Reports that have not arrived, one an item and listener: the last one says it all. */
const storageName = 'nocturne.reports'
const reportsMax = 50
/** Who signed out on this page: what its player says last is not kept any more. */
let leftOwner: string | null = null

/** Keeps a report until it has arrived. */
export function keepReport(report: ProgressReport): void {
  if (!report.owner || report.owner !== leftOwner) store(withReport(readAll(), report))
}

/** It has arrived, and so have all before it. */
export function forgetReport(report: ProgressReport): void {
  const kept = readAll()
  const rest = kept.filter((each) => !isSameItem(each, report) || numberOf(each) > numberOf(report))
  if (rest.length < kept.length) store(rest)
}

/** The reports of whoever this page is for, and a visitor's: those become the member's who signs in. */
export function readReports(owner: string): ProgressReport[] {
  return readAll().filter((each) => !each.owner || each.owner === owner)
}

/** A member leaves this browser: none of that member's reports stay in it. */
export function dropReports(owner: string): void {
  leftOwner = owner
  store(readAll().filter((each) => each.owner !== owner))
}

/** Whose page this is, as the server says it; empty for a visitor. */
export function pageOwner(): string {
  return document.body.dataset.owner ?? ''
}

function readAll(): ProgressReport[] {
  try {
    const stored: unknown = JSON.parse(readStored('localStorage', storageName) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isReport) : []
  } catch {
    return []
  }
}

/** The list with a report in the place of the item's earlier one. Completion stays, and so does real listening. */
export function withReport(kept: readonly ProgressReport[], report: ProgressReport): ProgressReport[] {
  const before = kept.find((each) => isSameItem(each, report))
  const completed = report.completed || before?.completed
  const last = before && (numberOf(before) > numberOf(report) || isBareReport(report)) ? before : report
  const others = kept.filter((each) => !isSameItem(each, report))
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
  keepStored('localStorage', storageName, reports.length > 0 ? JSON.stringify(reports) : null)
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
