import { stories } from '#db/schema'
import { pick } from '#src/shape/pick'
import type { JudgedText } from './judge'

/**
 * The columns of an item for every field of JudgedText. A column that is added here is read by all code that judges
 * items.
 */
export const judgedText = pick(stories, [
  'title',
  'description',
  'excerpt',
  'content',
  'tags',
  'categories',
]) satisfies Record<keyof JudgedText, unknown>
