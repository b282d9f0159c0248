import { keepStored, readStored } from '#islands/browser-storage'
import { isBare } from '#src/listening/rules'
import type { ProgressReport } from '#src/listening/schema'

/** Reports that have not arrived, one an item: the last one says it all. */
const storageName = 'nocturne.reports'
const reportsMax = 50

/** Keeps a report until it has arrived. */
export function keepReport(report: ProgressReport): void {
  store(withReport(readReports(), report))
}

/** It has arrived, and so have all before it. */
export function forgetReport(report: ProgressReport): void {
  const kept = readReports()
  const rest = kept.filter((each) => !isSameItem(each, report) || numberOf(each) > numberOf(report))
  if (rest.length < kept.length) store(rest)
}

export function readReports(): ProgressReport[] {
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
  return a.contentId === b.contentId && a.contentType === b.contentType
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
