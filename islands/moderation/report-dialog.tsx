import { type FormEvent, useEffect, useRef, useState } from 'react'
import { api } from '#islands/runtime/api'
import { listen, type ReportRequest } from '#islands/runtime/events'
import { useSubmit } from '#islands/runtime/use-submit'
import { showDialog } from '#islands/site/show-dialog'
import { ReportForm, reportWords } from '#src/moderation/report-form'
import { reportThanks, reportTypes } from '#src/moderation/rules'
import type { Report } from '#src/moderation/schema'
import { Button } from '#src/ui/button'
import { Dialog } from '#src/ui/dialog'

type ReportedItem = { itemId: string; title: string; isMember: boolean; formKey: number }

/** Dialog over the page to report an item. The loader fetches it at the first press on "Report". */
export default function ReportDialog({ request }: { request: ReportRequest | null }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [reported, setReported] = useState<ReportedItem | null>(null)
  const { isBusy, problem, setProblem, submit } = useSubmit()
  const [isSent, setSent] = useState(false)

  useEffect(() => {
    const open = ({ link: { dataset } }: ReportRequest) => {
      const { report: itemId = '', title = '', member } = dataset
      setProblem(null)
      setSent(false)
      // Every opening clears the form.
      setReported((last) => ({
        itemId,
        title,
        isMember: member !== undefined,
        formKey: (last?.formKey ?? 0) + 1,
      }))
    }
    if (request) open(request)
    return listen('nocturne:report', open)
  }, [request, setProblem])
  useEffect(() => {
    if (!reported || !dialog.current) return
    showDialog(dialog.current)
    dialog.current.querySelector('select')?.focus()
  }, [reported])
  useEffect(() => {
    if (isSent) dialog.current?.querySelector<HTMLElement>('[data-thanks]')?.focus()
  }, [isSent])

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const body = reportOf(new FormData(event.currentTarget))
    if (!reported || !body) return
    void submit(async () => {
      await api('POST /api/stories/:id/flags', { path: { id: reported.itemId }, body })
      setSent(true)
    })
  }

  return (
    <Dialog
      id="report"
      ref={dialog}
      title={isSent ? 'Thank you' : `Report “${reported?.title ?? ''}”`}
      words={isSent ? undefined : reportWords}
    >
      {isSent ? (
        <div className="stack">
          <p role="status">{reportThanks}</p>
          <div className="btn-row">
            <Button data-thanks="" onClick={() => dialog.current?.close()}>
              Close
            </Button>
          </div>
        </div>
      ) : (
        reported && (
          <ReportForm
            key={reported.formKey}
            itemId={reported.itemId}
            isMember={reported.isMember}
            problem={problem}
            isBusy={isBusy}
            onSubmit={send}
          />
        )
      )}
    </Dialog>
  )
}

/** Reads a report from the form. Returns null without a kind, which the browser requires anyway. */
function reportOf(form: FormData): Report | null {
  const text = (name: string) => String(form.get(name) ?? '')
  const flagType = reportTypes.find((each) => each === text('flagType'))
  return flagType ? { flagType, flagReason: text('flagReason'), email: text('email') } : null
}
