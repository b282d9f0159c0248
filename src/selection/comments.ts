import { inArray } from 'drizzle-orm'
import { storyFeedback } from '#db/schema'
import { isId } from '#src/shape/id'
import { listComments, selectComments } from '#src/vote/comments'
import { hideComment, restoreComment } from '#src/vote/hide-comment'
import type { Kind } from './kind'

/** Comments, which can be removed and, for a day, restored. */
export const manyComments: Kind = {
  list: async (db, wanted, limit) => {
    const rows =
      'ids' in wanted
        ? await selectComments(db, inArray(storyFeedback.id, wanted.ids.filter(isId)), limit)
        : (await listComments(db, { item: wanted.filter.item, limit })).comments
    return rows.map(({ id, item, comments, tags }) => ({
      id,
      title: item.title,
      state: comments !== '' || tags.length > 0 ? 'shown' : 'removed',
    }))
  },
  change: ({ db }, id, { by }) => hideComment(db, id, by),
  undo: ({ db }, { id }, by) => restoreComment(db, id, by),
  recorded: { remove: { subjectType: 'comments', action: 'remove' } },
  undone: { subjectType: 'comments', action: 'undo' },
}
