import { readList } from '#cli/choose'
import { readText } from '#cli/read-text'
import { narrators } from '#src/narration/rules'
import { categories } from '#src/story/rules'

/** What an item may be given beside its title and text. */
export const fieldFlags = {
  categories: { type: 'string', description: `With commas between: ${categories.join(', ')}` },
  tags: { type: 'string', description: 'With commas between' },
  description: { type: 'string', description: 'A sentence or two about it' },
  excerpt: { type: 'string', description: 'Where none is given, the beginning of the text' },
  notes: { type: 'string', description: 'Content notes, with commas between' },
  voice: { type: 'string', description: `female, male or a narrator: ${narrators.join(', ')}` },
  duration: { type: 'string', description: 'Minutes' },
  free: { type: 'boolean', description: 'A free sample: visitors may hear it (--no-free takes it back)' },
} as const

type Given = {
  categories?: string
  tags?: string
  description?: string
  excerpt?: string
  notes?: string
  voice?: string
  duration?: string
  free?: boolean
}

/** The options as the API's fields; whether they are right is for its schema to say. */
export function readFields({ categories: named, tags, notes, duration, free, ...args }: Given) {
  const { description, excerpt, voice } = args
  return {
    ...(named !== undefined && { categories: readList(named) }),
    ...(tags !== undefined && { tags }),
    ...(description !== undefined && { description }),
    ...(excerpt !== undefined && { excerpt }),
    ...(notes !== undefined && { contentNotes: readList(notes) }),
    ...(voice !== undefined && { voice }),
    ...(duration !== undefined && { duration: numberOrText(duration) }),
    ...(free !== undefined && { isFree: free }),
  }
}

/** The schema has the better sentence for what is no number. */
function numberOrText(text: string): number | string {
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
}

/** The text of an item from a file or standard input. */
export async function readContent(file: string | undefined): Promise<{ content?: string }> {
  return file === undefined ? {} : { content: await readText(file) }
}
