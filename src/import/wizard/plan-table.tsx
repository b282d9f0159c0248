import { Check, TriangleAlert } from 'lucide-react'
import { Fragment, useState } from 'react'
import type { DraftPlan, DraftPlanRow } from '#src/import/draft/schema'
import { verdictBadges } from '#src/import/live-plan'
import { Badge } from '#src/ui/badge'
import { Button } from '#src/ui/button'
import { Table } from '#src/ui/console/table'
import { Icon } from '#src/ui/icon'

/** As many as are looked through at once; a thousand rows are quick this way. */
const rowsAtOnce = 100
const countNames = {
  new: 'new',
  change: 'to change',
  same: 'the same',
  held: 'held for review',
  problem: 'with problems',
  empty: 'empty',
} as const

/** Every row with its verdict, its audio, and what is wrong with it. */
export function PlanTable({ plan }: { plan: DraftPlan }) {
  const [isOnlyProblems, setOnlyProblems] = useState(false)
  const [shown, setShown] = useState(rowsAtOnce)
  const rows = isOnlyProblems ? plan.rows.filter(({ verdict }) => verdict === 'problem') : plan.rows
  return (
    <section className="section section-tight panel panel-flush" aria-labelledby="plan">
      <div className="panel-head plan-head">
        <h2 id="plan" tabIndex={-1}>
          The plan
        </h2>
        <div className="verdicts">
          {Object.entries(plan.counts).map(([verdict, count]) =>
            count > 0 ? (
              <Badge key={verdict} kind={verdictBadges[verdict as keyof typeof countNames].kind}>
                {count.toLocaleString('en')} {countNames[verdict as keyof typeof countNames]}
              </Badge>
            ) : null,
          )}
        </div>
      </div>
      <div className="plan-tools">
        <button
          type="button"
          className="chip"
          aria-pressed={isOnlyProblems}
          onClick={() => {
            setOnlyProblems(!isOnlyProblems)
            setShown(rowsAtOnce)
          }}
        >
          Only problems
        </button>
        <span className="meta" role="status">
          {Math.min(shown, rows.length).toLocaleString('en')} of {rows.length.toLocaleString('en')} rows shown
        </span>
      </div>
      {rows.length > 0 && (
        <Table
          label="The plan, row by row"
          columns={['Row', 'Verdict', 'Name', 'Voice', 'Categories', 'Min', 'Audio', 'What happens']}
        >
          {rows.slice(0, shown).map((row) => (
            <PlanLines key={row.row} row={row} />
          ))}
        </Table>
      )}
      {rows.length > shown && (
        <div className="table-more">
          <Button kind="ghost" size="sm" onClick={() => setShown(shown + rowsAtOnce)}>
            Show {Math.min(rowsAtOnce, rows.length - shown)} more
          </Button>
        </div>
      )}
    </section>
  )
}

function PlanLines({ row }: { row: DraftPlanRow }) {
  const isProblem = row.verdict === 'problem'
  const { kind, label } = verdictBadges[row.verdict]
  return (
    <Fragment>
      <tr className={isProblem ? 'is-problem' : undefined}>
        <td data-label="Row" className="num">
          {row.row}
        </td>
        <td>
          <Badge kind={kind}>{label}</Badge>
        </td>
        <td>
          <strong>{row.title}</strong>
        </td>
        <td data-label="Voice">{row.voice}</td>
        <td data-label="Categories">{row.categories.join(', ')}</td>
        <td data-label="Minutes" className="num">
          {row.minutes}
        </td>
        <td data-label={row.audio.length === 0 ? 'Audio' : undefined}>
          <RowAudio row={row} />
        </td>
        <td>{isProblem ? 'Not imported' : row.what}</td>
      </tr>
      {row.problems.length + row.warnings.length > 0 && (
        <tr className="mend">
          <td />
          <td colSpan={7}>
            {[...row.problems.map(({ field, message }) => ({ field, message })), ...warningsOf(row)].map(
              ({ field, message }) => (
                <p key={field + message}>
                  <Icon of={TriangleAlert} size="sm" />
                  <span>
                    <b>
                      Row {row.row}, {field}:
                    </b>{' '}
                    {message}
                  </span>
                </p>
              ),
            )}
          </td>
        </tr>
      )}
    </Fragment>
  )
}

function RowAudio({ row }: { row: DraftPlanRow }) {
  if (row.audio.length === 0) return <span className="audio-none">none</span>
  return row.audio.map(({ voice, fileName, isNew }) => (
    <span key={voice} className="audio-ok" title={fileName}>
      <Icon of={Check} size="sm" />
      <span>
        {fileName}
        <span className="meta">
          {voice !== row.voice && ` ${voice}`}
          {!isNew && ' unchanged'}
        </span>
      </span>
    </span>
  ))
}

function warningsOf({ warnings }: DraftPlanRow) {
  return warnings.map((message) => ({ field: 'guidelines', message }))
}
