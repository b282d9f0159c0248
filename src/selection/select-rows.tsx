import type { ComponentProps } from 'react'
import RowSelection from '#islands/operator/row-selection'
import { Island } from '#src/ui/island'

/** What is done with the rows of a console list whose boxes are ticked. */
export function SelectRows(props: ComponentProps<typeof RowSelection>) {
  return <Island name="row-selection" when="press" presses="[data-pick]" of={RowSelection} props={props} />
}
