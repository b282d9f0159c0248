import type { ReactNode } from 'react'

/**
 * A table that scrolls horizontally inside itself, and is stacked on phones, where cells show the column name in
 * `data-label`. The cell that names its row is a `<th scope="row">`.
 */
export function Table({
  label,
  columns,
  children,
}: {
  label: string
  columns: readonly string[]
  children: ReactNode
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section className="table-wrap" aria-label={label} tabIndex={0}>
      <table className="table table-stack">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}
