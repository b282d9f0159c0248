import { useState } from 'react'
import { consoleUrls } from '#src/console-urls'
import type { ApplyOptions, DraftPlan, ImportDraft } from '#src/import/draft/schema'
import { Button, ButtonLink } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { Notice } from '#src/ui/notice'
import { SwitchRow } from '#src/ui/switch-row'
import { listWords, planWords, rows, takenRows } from './draft-words'
import { PlanTable } from './plan-table'

/** The plan, the options, and the button that applies it. */
export function PlanStep({
  draft,
  plan,
  isBusy,
  onApply,
}: {
  draft: ImportDraft
  plan: DraftPlan
  isBusy: boolean
  onApply: (options: ApplyOptions) => void
}) {
  const [strict, setStrict] = useState(false)
  const [narrate, setNarrate] = useState(false)
  const taken = takenRows(plan.counts)
  // The list of files already says why a file was refused.
  const isNews = (message: string) => !draft.files.some(({ problem }) => problem === message)
  return (
    <>
      <div className="stack-sm plan-notices">
        {plan.fileProblems.filter(isNews).map((message) => (
          <Notice key={message} kind="warn">
            {message}
          </Notice>
        ))}
        {plan.unmatchedAudio.length > 0 && (
          <Notice kind="warn">
            No row is named like {listWords(plan.unmatchedAudio)}. Give the file the name of its row, or take
            it out.
          </Notice>
        )}
      </div>
      <PlanTable plan={plan} />
      <section className="section section-tight panel panel-flush import-options" aria-label="How to import">
        <SwitchRow
          title="All or nothing"
          words="One problem, and nothing is imported."
          checked={strict}
          onChange={(event) => setStrict(event.target.checked)}
        />
        <SwitchRow
          title="Narrate what has no audio"
          words="New items without an MP3 are spoken in the background."
          checked={narrate}
          onChange={(event) => setNarrate(event.target.checked)}
        />
      </section>
      <div className="apply-bar">
        <p>
          <b>{planWords(plan)}</b>
        </p>
        {plan.counts.problem > 0 && (
          <ButtonLink
            kind="ghost"
            className="btn-icon-sm"
            aria-label="Download failed rows"
            href={consoleUrls.apiFailedRows(draft.id)}
            download
          >
            <Icon name="i-lucide-sm-download" />
            <span>Failed rows</span>
          </ButtonLink>
        )}
        <Button
          kind="primary"
          isBusy={isBusy}
          disabled={taken === 0}
          onClick={() => onApply({ strict, narrate })}
        >
          Import {rows(taken)}
        </Button>
      </div>
    </>
  )
}
