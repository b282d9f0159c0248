import { useState } from 'react'
import { PickBox, type Selection } from '#islands/runtime/use-selection'
import { consoleUrls } from '#src/console-urls'
import { contextCharacters } from '#src/guideline/rules'
import { SeverityBadge } from '#src/guideline/severity-badge'
import { reasonCharactersMax } from '#src/review/rules'
import type { HeldItem, Review } from '#src/review/schema'
import { pluralize } from '#src/text/pluralize'
import { Button } from '#src/ui/button'
import { Field } from '#src/ui/field'

/** A held item with its findings. It can be selected, or decided on alone. */
export function HeldRow({
  item,
  ruleId,
  isBusy,
  selection,
  onReview,
}: {
  item: HeldItem
  /** The cause that the group's heading names already. */
  ruleId: string
  isBusy: boolean
  selection: Selection
  onReview: (review: Review) => void
}) {
  const [reason, setReason] = useState('')
  const isOfMember = item.source === 'user_generated'
  return (
    <article className="flag held-item" data-pick-row="">
      <PickBox id={item.id} title={item.title} selection={selection} />
      <div className="stack-sm">
        <h4>
          <a href={consoleUrls.studio(item.id)}>{item.title}</a>
        </h4>
        <div className="meta-row">
          <span>{item.type}</span>
          <span>{isOfMember ? 'by a member' : 'by an operator'}</span>
          <span>{item.categories.join(', ') || 'no category'}</span>
          {item.heldFrom && <span>{item.heldFrom} once approved</span>}
        </div>
        {ownFirst(item.findings, ruleId).map((finding) => (
          <Finding key={finding.ruleId} finding={finding} isNamed={finding.ruleId !== ruleId} />
        ))}
        {item.preview && (
          <details className="flag-text">
            <summary className="meta">How it begins</summary>
            <p>{item.preview}</p>
          </details>
        )}
        {isOfMember && (
          <Field
            label="Reason of a refusal"
            hint="The maker will see it."
            maxLength={reasonCharactersMax}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </div>
      <Decisions item={item} isBusy={isBusy} reason={reason} onReview={onReview} />
    </article>
  )
}

function Decisions({
  item,
  isBusy,
  reason,
  onReview,
}: {
  item: HeldItem
  isBusy: boolean
  reason: string
  onReview: (review: Review) => void
}) {
  return (
    <div className="btn-row">
      <Button
        size="sm"
        isBusy={isBusy}
        aria-label={`Approve: ${item.title}`}
        onClick={() => onReview({ decision: 'approve' })}
      >
        Approve
      </Button>
      <Button
        kind="danger"
        size="sm"
        isBusy={isBusy}
        aria-label={`Refuse: ${item.title}`}
        onClick={() => onReview({ decision: 'refuse', ...(reason && { reason }) })}
      >
        Refuse
      </Button>
    </div>
  )
}

function Finding({ finding, isNamed }: { finding: HeldItem['findings'][number]; isNamed: boolean }) {
  const { severity, description, places } = finding
  const shownPlaces = distinctPlaces(places)
  const more = shownPlaces.length - placesShown
  return (
    <div className="stack-sm">
      {isNamed && (
        <div className="btn-row badge-row">
          <SeverityBadge severity={severity} />
          <span className="label">{description}</span>
        </div>
      )}
      {shownPlaces.slice(0, placesShown).map((place) => (
        <p className="serif" key={`${place.field}-${place.start}`}>
          “{place.text}” <span className="meta">{place.field}</span>
        </p>
      ))}
      {more > 0 && <p className="meta">and {pluralize(more, 'more place')}</p>}
    </div>
  )
}

type Findings = HeldItem['findings']
type Places = Findings[number]['places']

/** Moves the group's own cause to the start, right below its name. */
function ownFirst(findings: Findings, ruleId: string): Findings {
  return findings.toSorted((a, b) => Number(b.ruleId === ruleId) - Number(a.ruleId === ruleId))
}

/**
 * Returns the matches outside of each other's context. Those in the excerpt are left out if the text has some, because
 * the excerpt repeats the text's first words.
 */
function distinctPlaces(places: Places): Places {
  const shown: Places = []
  for (const place of places) {
    const last = shown.at(-1)
    const isSeen = last?.field === place.field && place.start < last.end + contextCharacters
    const isRepeated = place.field === 'excerpt' && places.some(({ field }) => field === 'content')
    if (!isSeen && !isRepeated) shown.push(place)
  }
  return shown
}

/** Maximum number of matches shown. A common word may match a hundred times. */
const placesShown = 3
