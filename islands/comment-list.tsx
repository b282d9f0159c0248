import { useRef, useState } from 'react'
import { emit } from '#islands/events'
import { failureWords, operatorCall } from '#islands/operator-call'
import { giveToastsBack, takeToastsInto } from '#islands/toasts-in-dialog'
import { Button } from '#src/ui/button'
import { Dialog } from '#src/ui/dialog'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'
import { CommentRow } from '#src/vote/comment-row'
import type { Comment } from '#src/vote/schema'

/** Comments of members, each with the way out: asked for once more, since nothing brings the words back. */
export default function CommentList(props: {
  comments: Comment[]
  count: number
  /** There are more than were counted. */
  isMore: boolean
  /** When they were read, in milliseconds since 1970. */
  at: number
}) {
  const [shown, setShown] = useState({ comments: props.comments, count: props.count })
  const [asked, setAsked] = useState<Comment | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const dialog = useRef<HTMLDialogElement>(null)

  const ask = (comment: Comment) => {
    setFailure(null)
    setAsked(comment)
    if (!dialog.current) return
    dialog.current.showModal()
    takeToastsInto(dialog.current)
  }
  const remove = async ({ id, item }: Comment) => {
    setBusy(true)
    setFailure(null)
    try {
      await operatorCall(urls.apiComment(id), { method: 'DELETE' })
      dialog.current?.close()
      setShown(({ comments, count }) => ({
        comments: comments.filter((each) => each.id !== id),
        count: count - 1,
      }))
      // The button that was pressed is gone.
      heading.current?.focus()
      emit('nocturne:toast', { title: 'Comment removed', description: item.title })
    } catch (error) {
      setFailure(failureWords(error, 'Please try again'))
    } finally {
      setBusy(false)
    }
  }

  return (
    <section className="panel panel-flush" aria-labelledby="comments">
      <div className="panel-head plan-head">
        <h2 id="comments" ref={heading} tabIndex={-1}>
          Comments{' '}
          <span className="meta">{`${shown.count.toLocaleString('en')}${props.isMore ? '+' : ''}`}</span>
        </h2>
      </div>
      {shown.comments.length === 0 && <p className="plan-head lead">Nobody has said anything yet.</p>}
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
        title={asked ? `Remove the comment on “${asked.item.title}”?` : 'Remove'}
        words="Its words go for good. The rating is the member’s and stays."
        width="narrow"
        onClose={giveToastsBack}
      >
        {failure && <Notice kind="bad">{failure}</Notice>}
        <div className="btn-row btn-row-end">
          <Button kind="ghost" onClick={() => dialog.current?.close()}>
            Keep it
          </Button>
          <Button kind="danger" disabled={isBusy} onClick={() => asked && void remove(asked)}>
            Remove it
          </Button>
        </div>
      </Dialog>
    </section>
  )
}
