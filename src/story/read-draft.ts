import { AppError } from '#src/app-error'
import { appearanceOf } from '#src/import/rows/read-appearance'
import { invalidField } from '#src/shape/invalid-field'
import { recordOf } from '#src/shape/pick'
import { readInstant } from '#src/shape/read-instant'
import { tidyLine } from '#src/text/tidy-text'
import type { PremiumDraft, PremiumEdit } from './draft-schema'
import { lineFields, listFields } from './fields'
import type { ItemColumns, ItemDraft } from './publish'
import { tagsMax } from './rules'
import { readNarratedVoice } from './voice'

/** Converts an operator's input to a draft. Throws `invalid` for an unknown voice or an invalid date. */
export function readDraft({ title, content, generateAudio, ...given }: PremiumDraft): ItemDraft {
  const { categories = ['romantic'], voice = 'female' } = given
  const columns = readGiven({ ...given, voice })
  if (columns.status === 'scheduled') requireTimeToCome(columns.publishedAt)
  return { ...scheduleByTime(columns), title, content, categories: readTags(categories) }
}

/**
 * Schedules an item without a status if its time is in the future, as imports do, so that it is not published too
 * early.
 */
export function scheduleByTime(columns: Partial<ItemColumns>): Partial<ItemColumns> {
  if (columns.status !== undefined || !columns.publishedAt) return columns
  const { status } = appearanceOf({ status: null, publishedAt: columns.publishedAt })
  return status ? { ...columns, status } : columns
}

/**
 * Requires a future time for a scheduled item, so that nothing is published silently. Throws `invalid` for a missing or
 * past time.
 */
export function requireTimeToCome(publishedAt: Date | undefined): void {
  if (!publishedAt) throw invalidField('publishedAt', 'Required')
  if (publishedAt > new Date()) return
  const message = 'This time has passed. Choose a later one, or publish it now, without a time.'
  const { message: sentence, fields } = invalidField('publishedAt', message)
  throw new AppError('invalid', sentence, { fields, details: { hasPassed: true } })
}

/** Whether an error is about a past time. The caller may then ask whether to publish the item now. */
export function isPassedTime(error: unknown): boolean {
  return error instanceof AppError && error.details?.hasPassed === true
}

/** Converts an operator's fields to columns; omitted ones stay omitted. Throws `invalid` like `readDraft`. */
export function readGiven({
  voice,
  publishedAt,
  ...given
}: PremiumEdit & Pick<PremiumDraft, 'type'>): Partial<ItemColumns> {
  return {
    ...given,
    ...recordOf(
      lineFields.filter((field) => given[field] !== undefined),
      (field) => tidyLine(given[field] ?? ''),
    ),
    ...recordOf(
      listFields.filter((field) => given[field] !== undefined),
      (field) => readTags(given[field] ?? []),
    ),
    ...(voice !== undefined && readNarratedVoice(voice)),
    ...(publishedAt !== undefined && { publishedAt: readInstant(publishedAt, 'publishedAt') }),
  }
}

/** Reads tags or content notes: a list, or text with commas. */
export function readTags(tags: string | readonly string[]): string[] {
  const list = typeof tags === 'string' ? tags.split(',') : tags
  return [...new Set(list.map(tidyLine).filter(Boolean))].slice(0, tagsMax)
}
