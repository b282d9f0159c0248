import type { ArgDef } from 'citty'

/** What a hint says where the name of a file is expected. */
const fileHint = 'FILE'

/** Of an argument that takes one of a closed list: help names the values, and Tab completes them. */
export function choiceOf(
  values: readonly (string | number)[],
  description = values.join(values.length > 2 ? ', ' : ' or '),
): { description: string; valueHint: string } {
  return { description, valueHint: values.join('|') }
}

/** Of an argument that takes a file or a folder: Tab completes their names. */
export const fileNamed = (description: string) => ({ description, valueHint: fileHint })

/** The closed list of an argument; empty where it takes anything else. */
export function valuesOf({ valueHint }: ArgDef): string[] {
  return valueHint === undefined || valueHint === fileHint ? [] : valueHint.split('|')
}

export const takesFile = ({ valueHint }: ArgDef): boolean => valueHint === fileHint
