import { type ComponentProps, useRef } from 'react'
import { showDialog } from '#islands/site/show-dialog'
import { Button } from '#src/ui/button'
import { Dialog } from '#src/ui/dialog'

export type Question = {
  /** The id of the dialog, unique in the page. */
  id: string
  title: string
  words: string
  /** The label of the button that confirms. */
  yes: string
}

/** Button for an action that cannot be undone. It asks `question` first; without a question it acts at once. */
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
  // One button for both cases: if a second one replaced it once there is a question, the focus would be lost.
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
