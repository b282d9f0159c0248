import { type FormEvent, useRef } from 'react'
import { visit } from '#islands/navigation/visit'
import { UserFacingError } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { useSubmit } from '#islands/runtime/use-submit'
import { showDialog } from '#islands/site/show-dialog'
import { consoleUrls } from '#src/console-urls'
import { pluralize } from '#src/text/pluralize'
import { Button } from '#src/ui/button'
import { Dialog } from '#src/ui/dialog'
import { Field } from '#src/ui/field'
import { Icon } from '#src/ui/icon'

/** Deletes a challenge together with its members' progress. The operator types its name to confirm. */
export function DeleteChallenge({ challenge }: { challenge: { id: string; name: string; members: number } }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { problem, submit } = useSubmit({ otherwise: 'Please try again' })

  const remove = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name')).trim()
    void submit(async () => {
      if (name !== challenge.name)
        throw new UserFacingError(`Type “${challenge.name}” exactly as shown here.`)
      await operatorApi('DELETE /api/challenges/:id', { path: { id: challenge.id } })
      dialog.current?.close()
      emit('nocturne:toast', { title: 'Challenge deleted', description: challenge.name })
      await visit(consoleUrls.challengeEditor())
    })
  }
  return (
    <>
      <Button kind="ghost" onClick={() => showDialog(dialog.current)}>
        <Icon name="i-lucide-sm-trash" />
        Delete
      </Button>
      <Dialog
        id="delete-challenge"
        ref={dialog}
        title={`Delete “${challenge.name}”?`}
        words={lossWords(challenge.members)}
        width="narrow"
      >
        <form className="stack" onSubmit={remove} noValidate>
          <Field label="Type its name to confirm" name="name" autoComplete="off" error={problem?.message} />
          <div className="btn-row">
            <Button kind="danger" type="submit">
              Delete it
            </Button>
            <Button kind="ghost" onClick={() => dialog.current?.close()}>
              Keep it
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  )
}

function lossWords(members: number): string {
  if (members === 0) return 'It is deleted for good. The flows stay in the library.'
  const whose = members === 1 ? 'its member is' : `its ${pluralize(members, 'member')} are`
  return `It is deleted for good, and with it how far ${whose}. The flows stay in the library.`
}
