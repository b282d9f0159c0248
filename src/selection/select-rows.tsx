import type { ComponentProps } from 'react'
import RowSelection from '#islands/operator/row-selection'
import { Island } from '#src/ui/island'

/** The actions on the selected rows of a console list. */
export function SelectRows(props: ComponentProps<typeof RowSelection>) {
  return <Island name="row-selection" when="press" presses="[data-pick]" of={RowSelection} props={props} />
}
