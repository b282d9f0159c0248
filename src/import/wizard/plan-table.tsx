import { Fragment, useState } from 'react'
import type { DraftPlan, DraftPlanRow } from '#src/import/draft/schema'
import { verdictBadges } from '#src/import/live-plan'
import { placeWords } from '#src/import/place-words'
import { keysOf } from '#src/shape/pick'
import { Badge } from '#src/ui/badge'
import { Button } from '#src/ui/button'
import { Table } from '#src/ui/console/table'
import { Icon } from '#src/ui/icon'

/** Rows shown at once, so that a thousand rows render quickly. */
const rowsAtOnce = 100
const countNames = {
  new: 'new',
  change: 'to change',
  same: 'the same',
  held: 'held for review',
  problem: 'with problems',
  empty: 'empty',
} as const

/** Every row with its verdict, its audio, and its problems. */
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
          {keysOf(plan.counts).map((verdict) =>
            plan.counts[verdict] > 0 ? (
              <Badge key={verdict} kind={verdictBadges[verdict].kind}>
                {plan.counts[verdict].toLocaleString('en')} {countNames[verdict]}
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
            <PlanLines key={`${row.sheet ?? ''} ${row.row}`} row={row} />
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
        <th scope="row">
          <strong>{row.title}</strong>
        </th>
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
        <tr className="fix">
          <td />
          <td colSpan={7}>
            {[...row.problems, ...warningsOf(row)].map(({ field, column, message }) => (
              <p key={field + message}>
                <Icon name="i-lucide-sm-triangle-alert" />
                <span>
                  <b>
                    {placeWords({ ...row, column })}
                    {column || field === 'row' ? '' : `, ${field}`}:
                  </b>{' '}
                  {message}
                </span>
              </p>
            ))}
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
      <Icon name="i-lucide-sm-check" />
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
  return warnings.map((message) => ({ field: 'note', column: undefined, message }))
}
