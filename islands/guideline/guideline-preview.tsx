import { useEffect, useState } from 'react'
import { ApiError } from '#islands/runtime/api-error'
import { operatorApi } from '#islands/runtime/operator-api'
import { AppearingNotice } from '#islands/site/appearing-notice'
import type { GuidelinePreview, PreviewRequest } from '#src/guideline/schema'
import { pluralize } from '#src/text/pluralize'
import { Button } from '#src/ui/button'

/** Long enough that the preview is requested after a word, not after each letter. */
const quietMs = 500

/** Returns the preview of a rule, shortly after its last change; null while it is loading. */
export function usePreview(request: PreviewRequest | null): GuidelinePreview | null {
  const [preview, setPreview] = useState<GuidelinePreview | null>(null)
  const sent = request && JSON.stringify(request)
  useEffect(() => {
    setPreview(null)
    if (!sent) return
    const control = new AbortController()
    const timer = setTimeout(async () => {
      // A rule that the server refuses shows its error when it is saved.
      const answer = await fetchPreview(JSON.parse(sent), control.signal).catch(() => null)
      if (!control.signal.aborted) setPreview(answer)
    }, quietMs)
    return () => {
      control.abort()
      clearTimeout(timer)
    }
  }, [sent])
  return preview
}

/** Fetches the preview of a rule, or of a change to one. Throws an ApiError if the server refuses the rule. */
export function fetchPreview(body: PreviewRequest, signal?: AbortSignal): Promise<GuidelinePreview> {
  return operatorApi('POST /api/content-guidelines/preview', { body, signal })
}

/** Returns the preview from an error that requires a confirmation before the rule is saved, otherwise null. */
export function previewIn(error: unknown): GuidelinePreview | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null
  const { preview } = error.answer
  return isPreview(preview) ? preview : null
}

function isPreview(value: unknown): value is GuidelinePreview {
  return typeof value === 'object' && value !== null && 'needsConfirmation' in value && 'examples' in value
}

/** Formats a count: "79 items", "1 item". */
export function itemWords(count: number): string {
  return pluralize(count, 'item')
}

/** Describes the effect of a rule in a sentence, with the places that it matches. */
export function PreviewWords({ preview }: { preview: GuidelinePreview }) {
  const { message, examples, held, approved, alreadyHeld, needsConfirmation } = preview
  const aside = [
    alreadyHeld > 0 &&
      `${itemWords(alreadyHeld)} with these words ${alreadyHeld === 1 ? 'is' : 'are'} held already.`,
    approved > 0 && `${itemWords(approved)} that an operator approved ${approved === 1 ? 'stays' : 'stay'}.`,
  ].filter(Boolean)
  return (
    <div className="stack-sm">
      <AppearingNotice kind={needsConfirmation ? 'warn' : 'info'} words={[message, ...aside].join(' ')} />
      {examples.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        <ul className="places" aria-label="Places" tabIndex={0}>
          {examples.map((example) => (
            <li key={example.id}>
              <b>{example.title}</b> <span className="meta">{example.field}</span>
              <p className="serif">
                {example.before}
                <mark className="match match-warn">{example.match}</mark>
                {example.after}
              </p>
            </li>
          ))}
          {held > examples.length && <li className="meta">and {itemWords(held - examples.length)} more</li>}
        </ul>
      )}
    </div>
  )
}

/** Asks for confirmation before a rule with a large effect is saved, or before its held items are released. */
export function RuleQuestion({
  preview,
  yes,
  isBusy = false,
  onYes,
  onNo,
}: {
  preview: GuidelinePreview
  yes: string
  isBusy?: boolean
  onYes: () => void
  onNo: () => void
}) {
  return (
    <div className="stack">
      <PreviewWords preview={preview} />
      {preview.held > 0 && (
        <p className="lead">What is held is seen by nobody until an operator approves it.</p>
      )}
      <div className="btn-row btn-row-end">
        <Button kind="ghost" autoFocus onClick={onNo}>
          Go back
        </Button>
        <Button kind="danger" isBusy={isBusy} onClick={onYes}>
          {yes}
        </Button>
      </div>
    </div>
  )
}
