import { useRef, useState } from 'react'
import type { Static } from 'typebox'
import { emit } from '#islands/events'
import { failureWords, operatorCall } from '#islands/operator-call'
import type { HeldItem } from '#src/guideline/schema'
import { SeverityBadge } from '#src/guideline/severity-badge'
import { Button } from '#src/ui/button'
import { Field } from '#src/ui/field'
import { urls } from '#src/urls'

type Held = Static<typeof HeldItem>
type Decision = 'approve' | 'refuse'

/** What the rules hold back, the longest waiting first, with what they found: approved or refused here. */
export default function HeldQueue(props: { items: Held[] }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [items, setItems] = useState(props.items)
  const [busy, setBusy] = useState<string | null>(null)

  const settle = async ({ id, title }: Held, decision: Decision, reason: string) => {
    setBusy(id)
    try {
      await operatorCall(urls.apiHeld(id), {
        method: 'PATCH',
        body: { decision, ...(decision === 'refuse' && reason && { reason }) },
      })
      setItems((all) => all.filter((each) => each.id !== id))
      heading.current?.focus()
      emit('nocturne:toast', {
        title: decision === 'approve' ? 'Content approved' : 'Content refused',
        description: title,
      })
    } catch (error) {
      const description = failureWords(error, 'Please try again')
      emit('nocturne:toast', { kind: 'bad', title: 'Error', description })
    } finally {
      setBusy(null)
    }
  }

  return (
    <section className="panel panel-flush" aria-labelledby="held">
      <div className="panel-head plan-head">
        <h2 id="held" ref={heading} tabIndex={-1}>
          Held for review <span className="meta">{items.length}</span>
        </h2>
      </div>
      {items.length === 0 && <p className="plan-head lead">Nothing waits for a decision.</p>}
      {items.map((item) => (
        <HeldRow
          key={item.id}
          item={item}
          isBusy={busy === item.id}
          onSettle={(decision, reason) => void settle(item, decision, reason)}
        />
      ))}
    </section>
  )
}

function HeldRow({
  item,
  isBusy,
  onSettle,
}: {
  item: Held
  isBusy: boolean
  onSettle: (decision: Decision, reason: string) => void
}) {
  const [reason, setReason] = useState('')
  const isOfMember = item.source === 'user_generated'
  return (
    <article className="flag">
      <div className="stack-sm">
        <h3>{item.title}</h3>
        <div className="meta-row">
          <span>{item.type}</span>
          <span>{isOfMember ? 'by a member' : 'by an operator'}</span>
          <span>{item.categories.join(', ') || 'no category'}</span>
        </div>
        {item.findings.map((finding) => (
          <div className="stack-sm" key={finding.ruleId}>
            <div className="btn-row badge-row">
              <SeverityBadge severity={finding.severity} />
              <span className="label">{finding.description || 'A rule without a description'}</span>
            </div>
            {finding.places.map((place) => (
              <p className="serif" key={`${place.field}-${place.start}`}>
                “…{place.text}…” <span className="meta">{place.field}</span>
              </p>
            ))}
          </div>
        ))}
        {isOfMember && (
          <Field
            label="Reason of a refusal"
            hint="The maker is told it."
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </div>
      <div className="btn-row">
        <Button
          size="sm"
          disabled={isBusy}
          aria-label={`Approve: ${item.title}`}
          onClick={() => onSettle('approve', reason)}
        >
          Approve
        </Button>
        <Button
          kind="danger"
          size="sm"
          disabled={isBusy}
          aria-label={`Refuse: ${item.title}`}
          onClick={() => onSettle('refuse', reason)}
        >
          Refuse
        </Button>
      </div>
    </article>
  )
}
