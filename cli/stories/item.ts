import { print, say } from '#cli/output'
import { Refusal } from '#src/refusal'
import type { PremiumItem } from '#src/story/draft-schema'

export const itemArg = {
  item: { type: 'positional', description: "The item's slug, as in its address, or its id", required: true },
} as const

/** Throws `not_found` for an item that is none. */
export function requireItem(item: PremiumItem | null): PremiumItem {
  if (!item) throw new Refusal('not_found', 'There is no such item. It may have been removed.')
  return item
}

/** An item that was written: its id and slug, and beside the data how it stands and what the guidelines said. */
export function printWritten(isJson: boolean, item: PremiumItem & { warnings: string[] }): void {
  print(isJson, item, () => [`${item.id}  ${item.slug}`])
  say(standing(item))
  for (const warning of item.warnings) say(warning)
}

function standing({ title, status, publishedAt }: PremiumItem): string {
  if (status === 'held')
    return `Held for review: ${title}. See nocturne guidelines held, and nocturne guidelines approve.`
  if (status === 'scheduled') return `Scheduled: ${title}, for ${publishedAt}`
  return `${status === 'draft' ? 'Draft' : 'Published'}: ${title}`
}
