import { Value } from 'typebox/value'
import { confirm } from '#cli/confirm'
import { type JsonChoice, print, printNote, table } from '#cli/output'
import { AppError } from '#src/app-error'
import { GuidelinePreview } from '#src/guideline/schema'
import type { Confirmation } from '#src/review/change-guideline'

export const dryRunFlag = {
  'dry-run': { type: 'boolean', description: 'Only show its effect on the library', default: false },
} as const

export function printPreview(choice: JsonChoice, preview: GuidelinePreview): void {
  print(choice, preview, () => previewLines(preview))
}

/**
 * Saves a rule. If it would hold a large part of the library, prints the preview and asks for confirmation. Returns
 * null if that is declined.
 */
export async function withConfirmation<T>(
  confirmation: Confirmation,
  save: (confirmation: Confirmation) => Promise<T>,
): Promise<T | null> {
  try {
    return await save(confirmation)
  } catch (error) {
    const preview = previewOf(error)
    if (!preview) throw error
    for (const line of previewLines(preview)) printNote(line)
    return (await confirm('Go on?')) ? save({ isConfirmed: true }) : null
  }
}

function previewOf(error: unknown): GuidelinePreview | null {
  const preview = error instanceof AppError ? error.details?.preview : undefined
  return Value.Check(GuidelinePreview, preview) ? preview : null
}

function previewLines({ message, examples, held }: GuidelinePreview): string[] {
  const rows = examples.map(({ title, field, before, match, after }) => [
    title,
    field,
    `${before}[${match}]${after}`.replace(/\s+/g, ' '),
  ])
  const more = held - examples.length
  return [message, ...table(rows), ...(more > 0 ? [`and ${more.toLocaleString('en')} more`] : [])]
}
