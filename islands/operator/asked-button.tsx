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
  if (!question) return <Button {...button} onClick={onPress} />
  const { yes, ...said } = question
  const goOn = () => {
    dialog.current?.close()
    onPress()
  }
  return (
    <>
      <Button {...button} onClick={() => showDialog(dialog.current)} />
      <Dialog {...said} ref={dialog} width="narrow">
        <div className="btn-row btn-row-end">
          <Button kind="ghost" onClick={() => dialog.current?.close()}>
            Cancel
          </Button>
          <Button kind="primary" onClick={goOn}>
            {yes}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
