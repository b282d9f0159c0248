import { defineCommand } from 'citty'
import { changeCommand } from '#cli/change-rows'
import { confirm, yesFlag } from '#cli/confirm'
import { jsonFlag, print, printCount, table } from '#cli/output'
import { operatorName, withServices } from '#cli/with-services'
import { requireItemId } from '#src/story/find-item-id'
import { listComments, removeComment } from '#src/vote/comments'
import { commentsLimitMax } from '#src/vote/rules'
import type { Comment } from '#src/vote/schema'

const list = defineCommand({
  meta: {
    name: 'list',
    description:
      'Lists the comments of members, the newest first. Example: nocturne feedback list --item the-night-ferry',
  },
  args: {
    item: { type: 'string', description: 'Only about this item, by its slug or id' },
    cursor: { type: 'string', description: 'The cursor that the page before printed' },
    ...jsonFlag,
  },
  run: ({ args: { item, cursor, json } }) =>
    withServices(async ({ db }) => {
      const { comments, ...page } = await listComments(db, {
        item: item === undefined ? undefined : await requireItemId(db, item),
        cursor,
        limit: commentsLimitMax,
      })
      print({ json }, comments, () => table(comments.map(lineOf)))
      printCount(comments.length, page, 'comment')
    }),
})

function lineOf({ id, createdAt, rating, item, comments, tags }: Comment): string[] {
  const words = [comments.replace(/\s+/g, ' '), tags.join(', ')].filter(Boolean).join(' · ')
  return [id, createdAt, rating === null ? '-' : String(rating), item.title, words]
}

const remove = defineCommand({
  meta: {
    name: 'remove',
    description:
      'Deletes the words of a comment for good; the rating stays. Example: nocturne feedback remove 019c… --yes',
  },
  args: {
    id: { type: 'positional', description: "The comment's id", required: true },
    ...yesFlag,
    ...jsonFlag,
  },
  run: async ({ args }) => {
    if (!args.yes && !(await confirm('Delete the words of this comment for good?'))) return
    await withServices(async ({ db }) => {
      const comment = await removeComment(db, args.id, operatorName())
      print(args, comment, () => [`Comment removed: ${comment.item.title}`])
    })
  },
})

export default defineCommand({
  meta: { name: 'feedback', description: 'What members say about items: list, remove, change' },
  subCommands: {
    list,
    remove,
    change: changeCommand('comments', 'nocturne feedback change remove --item the-night-ferry'),
  },
})
