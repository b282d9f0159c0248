import type { ImportDraft } from '#src/import/draft/schema'
import { isOfOurs } from '#src/import/rows/find-heading'
import type { FoundColumn, SheetChoices } from '#src/import/rows/sheet-schema'
import { columnFields, columnName } from '#src/import/rules'
import { Button } from '#src/ui/button'
import { Notice } from '#src/ui/notice'
import { PlainSelect } from '#src/ui/select'
import { SwitchRow } from '#src/ui/switch-row'
import { rows } from './draft-words'
import { SheetNotes } from './sheet-notes'

/** The content of a file and the part of it to import: sheets, columns, hidden rows. */
export function SheetPanel({
  draft,
  isDisabled,
  onChoose,
}: {
  draft: ImportDraft
  isDisabled: boolean
  onChoose: (choices: SheetChoices) => void
}) {
  const { sheets, choices, notes, sheetProblem } = draft
  const hiddenRows = sheets.reduce((sum, sheet) => sum + (sheet.isChosen ? sheet.hiddenRows : 0), 0)
  const columns = columnsToChoose(draft)
  return (
    <section className="stack section-tight" aria-label="What the file holds">
      {sheetProblem && <Notice kind="bad">{sheetProblem}</Notice>}
      {sheets.length > 1 && <SheetChips draft={draft} isDisabled={isDisabled} onChoose={onChoose} />}
      {columns.length > 0 && (
        <ColumnRows columns={columns} isDisabled={isDisabled} choices={choices} onChoose={onChoose} />
      )}
      {hiddenRows > 0 && (
        <div className="panel panel-flush import-options">
          <SwitchRow
            title="Import hidden rows"
            words={`${rows(hiddenRows)} of the file: a filter hides rows too.`}
            checked={choices.hiddenRows === true}
            disabled={isDisabled}
            onChange={(event) => onChoose({ ...choices, hiddenRows: event.target.checked })}
          />
        </div>
      )}
      <SheetNotes notes={notes} />
    </section>
  )
}

type Choosing = { isDisabled: boolean; onChoose: (choices: SheetChoices) => void }

function SheetChips({ draft, isDisabled, onChoose }: Choosing & { draft: ImportDraft }) {
  const { sheets, choices } = draft
  const toggled = (wanted: string) =>
    sheets.filter(({ name, isChosen }) => (name === wanted) !== isChosen).map(({ name }) => name)
  return (
    <fieldset className="chips chips-wrap" disabled={isDisabled}>
      <legend className="label">Sheets</legend>
      {sheets.map(({ name, isChosen, isHidden, rowCount }) => (
        <label key={name} className="chip">
          <input
            type="checkbox"
            checked={isChosen}
            onChange={() => onChoose({ ...choices, sheets: toggled(name) })}
          />
          {name}: {rowCount === 0 ? 'nothing to import' : rows(rowCount)}
          {isHidden && ', hidden'}
        </label>
      ))}
    </fieldset>
  )
}

/**
 * The unknown columns and those that the operator assigned, by heading. Sheets that are not chosen are included while
 * nothing can be imported.
 */
function columnsToChoose({ sheets, choices, sheetProblem }: ImportDraft): FoundColumn[] {
  const said = new Set(Object.keys(choices.columns ?? {}))
  const shown = sheets
    .filter(({ isChosen, isHidden }) => isChosen || (sheetProblem !== null && !isHidden))
    .flatMap(({ columns }) => columns)
    .filter(({ heading, readAs }) => (readAs === null && !isOfOurs(heading)) || said.has(heading))
  return [...new Map(shown.map((column) => [column.heading, column])).values()]
}

const readings = [
  { value: '', label: 'Left out' },
  ...columnFields.map(columnName).map((name) => ({ value: name, label: name })),
]

/** A column that resembles a known one waits for a decision. Leaving it out is a decision too. */
const undecided = { value: 'undecided', label: 'Not decided' }

function ColumnRows({
  columns,
  choices,
  isDisabled,
  onChoose,
}: Choosing & { columns: FoundColumn[]; choices: SheetChoices }) {
  const choose = (heading: string, readAs: string) =>
    onChoose({ ...choices, columns: { ...choices.columns, [heading]: readAs } })
  return (
    <fieldset disabled={isDisabled}>
      <legend className="label">Columns</legend>
      <div className="panel panel-flush import-options">
        {columns.map(({ key, heading, readAs, suggestion }) => {
          const isOpen = suggestion !== null && readAs === null && choices.columns?.[heading] === undefined
          return (
            <div key={heading} className="row">
              <span className="row-words">
                <b>{heading}</b>
                <span className="meta">{key === heading ? 'Not known' : `Column ${key}`}</span>
              </span>
              <span className="btn-row">
                {isOpen && (
                  <Button size="sm" disabled={isDisabled} onClick={() => choose(heading, suggestion)}>
                    Did you mean {suggestion}?
                  </Button>
                )}
                <PlainSelect
                  label={`Read ${heading} as`}
                  choices={isOpen ? [undecided, ...readings] : readings}
                  value={isOpen ? undecided.value : (readAs ?? '')}
                  onChange={(event) => choose(heading, event.target.value)}
                />
              </span>
            </div>
          )
        })}
      </div>
    </fieldset>
  )
}
