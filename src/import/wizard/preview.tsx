import type { ImportDraft } from '#src/import/draft/schema'
import { Table } from '#src/ui/console/table'

/** The first rows of the sheet as they were read. */
export function Preview({ draft }: { draft: ImportDraft }) {
  const columns = [...new Set(draft.preview.flatMap(({ cells }) => Object.keys(cells)))]
  return (
    <section className="section section-tight panel panel-flush" aria-labelledby="preview">
      <div className="panel-head plan-head">
        <h2 id="preview">
          {draft.preview.length === 1 ? 'The first row' : `The first ${draft.preview.length} rows`}
        </h2>
        <span className="meta">of {draft.rowCount.toLocaleString('en')}</span>
      </div>
      <Table label="Preview" columns={['Row', ...columns]}>
        {draft.preview.map(({ row, cells }) => (
          <tr key={row}>
            <th scope="row" data-label="Row" className="num">
              {row}
            </th>
            {columns.map((column) => (
              <td key={column} data-label={column}>
                {column === 'Name' ? <strong>{cells[column]}</strong> : cells[column]}
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </section>
  )
}
