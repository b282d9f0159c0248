import { type JsonChoice, print, printNote } from '#cli/output'
import type { PremiumItem } from '#src/story/draft-schema'

export const itemArg = {
  item: { type: 'positional', description: "The item's slug, as in its address, or its id", required: true },
} as const

/** Prints a saved item: id and slug, its status, and the guidelines' findings. */
export function printWritten(choice: JsonChoice, item: PremiumItem & { warnings: string[] }): void {
  print(choice, item, () => [`${item.id}  ${item.slug}`])
  printNote(statusWords(item))
  for (const warning of item.warnings) printNote(warning)
}

function statusWords({ title, status, publishedAt }: PremiumItem): string {
  if (status === 'held')
    return `Held for review: ${title}. See nocturne guidelines held, and nocturne guidelines approve.`
  if (status === 'scheduled') return `Scheduled: ${title}, for ${publishedAt}`
  return `${status === 'draft' ? 'Draft' : 'Published'}: ${title}`
}
