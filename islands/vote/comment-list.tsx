import { useRef, useState } from 'react'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { useSubmit } from '#islands/runtime/use-submit'
import { showDialog } from '#islands/site/show-dialog'
import { Button } from '#src/ui/button'
import { NothingHere } from '#src/ui/console/nothing-here'
import { Dialog } from '#src/ui/dialog'
import { Notice } from '#src/ui/notice'
import { CommentRow } from '#src/vote/comment-row'
import type { Comment } from '#src/vote/schema'

/** Comments of members, each with a Delete button. It asks for confirmation, because the deletion cannot be undone. */
export default function CommentList(props: {
  comments: Comment[]
  count: number
  /** Whether there are more comments than `count`, because counting stopped early. */
  isAtLeast: boolean
  /** When the comments were read, in milliseconds since 1970. */
  at: number
}) {
  const [shown, setShown] = useState({ comments: props.comments, count: props.count })
  const [question, setQuestion] = useState<Comment | null>(null)
  const { isBusy, problem, setProblem, submit } = useSubmit({ otherwise: 'Please try again' })
  const heading = useRef<HTMLHeadingElement>(null)
  const dialog = useRef<HTMLDialogElement>(null)

  const ask = (comment: Comment) => {
    setProblem(null)
    setQuestion(comment)
    showDialog(dialog.current)
  }
  const remove = ({ id, item }: Comment) =>
    submit(async () => {
      await operatorApi('DELETE /api/feedback/:id', { path: { id } })
      dialog.current?.close()
      setShown(({ comments, count }) => ({
        comments: comments.filter((each) => each.id !== id),
        count: count - 1,
      }))
      // The pressed button is removed.
      heading.current?.focus()
      emit('nocturne:toast', { title: 'Comment removed', description: item.title })
    })

  return (
    <section className="panel panel-flush" aria-labelledby="comments">
      <div className="panel-head plan-head">
        <h2 id="comments" ref={heading} tabIndex={-1}>
          Comments{' '}
          <span className="meta">{`${shown.count.toLocaleString('en')}${props.isAtLeast ? '+' : ''}`}</span>
        </h2>
      </div>
      {shown.comments.length === 0 && (
        <NothingHere>No comments yet. What members write about an item appears here.</NothingHere>
      )}
      {shown.comments.map((comment) => (
        <CommentRow
          key={comment.id}
          comment={comment}
          now={props.at}
          isBusy={isBusy}
          onRemove={() => ask(comment)}
        />
      ))}
      <Dialog
        id="remove-comment"
        ref={dialog}
        title={question ? `Remove the comment on “${question.item.title}”?` : 'Remove'}
        words="The words are deleted for good. The member’s rating stays."
        width="narrow"
      >
        {problem && <Notice kind="bad">{problem.message}</Notice>}
        <div className="btn-row btn-row-end">
          <Button kind="ghost" onClick={() => dialog.current?.close()}>
            Keep it
          </Button>
          <Button kind="danger" isBusy={isBusy} onClick={() => question && void remove(question)}>
            Remove it
          </Button>
        </div>
      </Dialog>
    </section>
  )
}
