import { type FormEvent, useEffect, useRef, useState } from 'react'
import { apiCall, problemOf } from '#islands/api-call'
import { listen, type ReportRequest } from '#islands/events'
import { giveToastsBack, takeToastsInto } from '#islands/toasts-in-dialog'
import { ReportForm, reportWords } from '#src/moderation/report-form'
import { reportThanks } from '#src/moderation/rules'
import { Button } from '#src/ui/button'
import { Dialog } from '#src/ui/dialog'
import { urls } from '#src/urls'

type Asked = { itemId: string; title: string; isMember: boolean; formKey: number }

/** Reporting an item over the page one is on. The loader brings it with the first press on "Report". */
export default function ReportDialog({ request }: { request: ReportRequest | null }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isSent, setSent] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the request is the first one, the next ones are events
  useEffect(() => {
    const open = ({ link: { dataset } }: ReportRequest) => {
      const { report: itemId = '', title = '', member } = dataset
      setFailure(null)
      setSent(false)
      // Every opening has a form with empty fields.
      setAsked((last) => ({
        itemId,
        title,
        isMember: member !== undefined,
        formKey: (last?.formKey ?? 0) + 1,
      }))
    }
    if (request) open(request)
    return listen('nocturne:report', open)
  }, [])
  useEffect(() => {
    if (!asked || !dialog.current) return
    if (!dialog.current.open) dialog.current.showModal()
    takeToastsInto(dialog.current)
    dialog.current.querySelector('select')?.focus()
  }, [asked])
  useEffect(() => {
    if (isSent) dialog.current?.querySelector<HTMLElement>('[data-thanks]')?.focus()
  }, [isSent])

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!asked) return
    const body = Object.fromEntries(new FormData(event.currentTarget))
    setFailure(null)
    setBusy(true)
    try {
      await apiCall(urls.apiReport(asked.itemId), { method: 'POST', body })
      setSent(true)
    } catch (error) {
      setFailure(problemOf(error).message)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      id="report"
      ref={dialog}
      title={isSent ? 'Thank you' : `Report “${asked?.title ?? ''}”`}
      words={isSent ? undefined : reportWords}
      onClose={giveToastsBack}
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
        asked && (
          <ReportForm
            key={asked.formKey}
            itemId={asked.itemId}
            isMember={asked.isMember}
            error={failure ?? undefined}
            isBusy={isBusy}
            onSubmit={send}
          />
        )
      )}
    </Dialog>
  )
}
