import { pluralize } from '#src/text/pluralize'
import { Badge, type BadgeKind } from '#src/ui/badge'
import { Button } from '#src/ui/button'
import { Table } from '#src/ui/console/table'
import { Icon } from '#src/ui/icon'
import type { PlanRow } from './plan-schema'

export const verdictBadges: Record<PlanRow['verdict'], { kind: BadgeKind; label: string }> = {
  new: { kind: 'good', label: 'New' },
  change: { kind: 'info', label: 'Change' },
  same: { kind: 'line', label: 'Same' },
  held: { kind: 'warn', label: 'Held' },
  problem: { kind: 'bad', label: 'Problem' },
  empty: { kind: 'line', label: 'Empty' },
}
/** Rows shown. The counts below include the rest. */
const shownMax = 50

/** The verdict on every pasted line, below the text box, and the button that imports the lines. */
export function LivePlan({
  rows,
  skipped,
  isBusy,
}: {
  rows: readonly PlanRow[]
  skipped: number
  isBusy: boolean
}) {
  return (
    <>
      <div className="live-plan" aria-live="polite">
        {rows.length > 0 && (
          <Table
            label="What the paste would do"
            columns={['Line', 'Verdict', 'Name', 'Category', 'Words', 'What happens']}
          >
            {rows.slice(0, shownMax).map((row) => (
              <tr key={row.row} className={row.verdict === 'problem' ? 'is-problem' : undefined}>
                <td data-label="Line" className="num">
                  {row.row}
                </td>
                <td>
                  <Badge kind={verdictBadges[row.verdict].kind}>{verdictBadges[row.verdict].label}</Badge>
                </td>
                <th scope="row">
                  <strong>{row.title}</strong>
                </th>
                <td data-label="Category">{row.categories.join(', ')}</td>
                <td data-label="Words" className="num">
                  {row.words.toLocaleString('en')}
                </td>
                <td>{row.what}</td>
              </tr>
            ))}
          </Table>
        )}
      </div>
      <div className="btn-row btn-row-between">
        <span className="meta">{planSentence(rows, skipped)}</span>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          <Icon name="i-lucide-sm-upload" />
          {isBusy ? 'Uploading...' : 'Upload All Stories'}
        </Button>
      </div>
    </>
  )
}

/** "3 of 4 stories. 1 line with fewer than 4 columns left out." */
function planSentence(rows: readonly Pick<PlanRow, 'verdict'>[], skipped: number): string {
  const taken = rows.filter(({ verdict }) => verdict === 'new' || verdict === 'change' || verdict === 'held')
  const sentences = [
    rows.length > 0 && `${taken.length.toLocaleString('en')} of ${pluralize(rows.length, 'story')}.`,
    rows.length > shownMax && `The first ${shownMax} are shown.`,
    skipped > 0 && `${pluralize(skipped, 'line')} with fewer than 4 columns left out.`,
  ]
  return sentences.filter(Boolean).join(' ')
}
