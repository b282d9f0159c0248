import { Trash2 } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { emit } from '#islands/events'
import { failureWords, operatorCall } from '#islands/operator-call'
import { visit } from '#islands/visit'
import { Button } from '#src/ui/button'
import { Dialog } from '#src/ui/dialog'
import { Field } from '#src/ui/field'
import { Icon } from '#src/ui/icon'
import { urls } from '#src/urls'

/** Deleting takes what its members did with it, so it asks for the name. */
export function DeleteChallenge({ challenge }: { challenge: { id: string; name: string; members: number } }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [problem, setProblem] = useState<string>()

  const remove = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (String(new FormData(event.currentTarget).get('name')).trim() !== challenge.name) {
      setProblem(`Type “${challenge.name}” as it stands here.`)
      return
    }
    try {
      await operatorCall(urls.apiChallenge(challenge.id), { method: 'DELETE' })
      dialog.current?.close()
      emit('nocturne:toast', { title: 'Challenge deleted', description: challenge.name })
      await visit(urls.challengeEditor())
    } catch (error) {
      setProblem(failureWords(error, 'Please try again'))
    }
  }
  return (
    <>
      <Button kind="ghost" onClick={() => dialog.current?.showModal()}>
        <Icon of={Trash2} size="sm" />
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
          <Field label="Its name, to be sure" name="name" autoComplete="off" error={problem} />
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
  if (members === 0) return 'It goes for good. The flows stay in the library.'
  const whose = members === 1 ? 'its member is' : `its ${members.toLocaleString('en')} members are`
  return `It goes for good, and with it how far ${whose}. The flows stay in the library.`
}
