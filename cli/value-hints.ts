import type { ArgDef } from 'citty'

/** The hint of an argument that takes a file name. */
const fileHint = 'FILE'

/** Describes an argument with a closed list of values. The help names the values, and Tab completes them. */
export function choiceOf(
  values: readonly (string | number)[],
  description = values.join(values.length > 2 ? ', ' : ' or '),
): { description: string; valueHint: string } {
  return { description, valueHint: values.join('|') }
}

/** Describes an argument that takes a file or a folder. Tab completes its name. */
export const fileNamed = (description: string) => ({ description, valueHint: fileHint })

/** Returns the closed list of an argument; empty if it takes anything else. */
export function valuesOf({ valueHint }: ArgDef): string[] {
  return valueHint === undefined || valueHint === fileHint ? [] : valueHint.split('|')
}

export const takesFile = ({ valueHint }: ArgDef): boolean => valueHint === fileHint
