import { type ComponentProps, useRef } from 'react'
import { showDialog } from '#islands/site/show-dialog'
import { Button } from '#src/ui/button'
import { Dialog } from '#src/ui/dialog'

export type Question = {
  /** Of the dialog, in the page. */
  id: string
  title: string
  words: string
  /** What the button that goes on says. */
  yes: string
}

/** A button that asks before it does something that cannot be taken back; without a question it does it at once. */
export function AskedButton({
  question,
  onPress,
  ...button
}: Omit<ComponentProps<typeof Button>, 'onClick'> & { question: Question | null; onPress: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const goOn = () => {
    dialog.current?.close()
    onPress()
  }
  // One button in both cases: a second one, drawn in its place once there is a question, would not have the focus.
  return (
    <>
      <Button {...button} onClick={question ? () => showDialog(dialog.current) : onPress} />
      {question && (
        <Dialog id={question.id} title={question.title} words={question.words} ref={dialog} width="narrow">
          <div className="btn-row btn-row-end">
            <Button kind="ghost" onClick={() => dialog.current?.close()}>
              Cancel
            </Button>
            <Button kind="primary" onClick={goOn}>
              {question.yes}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
