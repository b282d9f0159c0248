import { stories } from '#db/schema'
import { pick } from '#src/shape/pick'
import type { JudgedText } from './judge'

/** The columns of an item that are judged, each field of JudgedText: one that is added is read by all who judge items. */
export const judgedText = pick(stories, [
  'title',
  'description',
  'excerpt',
  'content',
  'tags',
  'categories',
]) satisfies Record<keyof JudgedText, unknown>
