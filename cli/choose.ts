import { UsageError } from '#cli/failure'
import { readList } from '#src/text/tidy-text'

/** Returns the value of a closed list that a word names. Throws a UsageError for any other word. */
export function choose<const T extends readonly string[]>(name: string, values: T, given: string): T[number] {
  const found = values.find((each) => each === given)
  if (!found)
    throw new UsageError(`${JSON.stringify(given)} is not a valid ${name}. Use ${values.join(', ')}.`)
  return found
}

/** Like `choose`, for words separated by commas. */
export function chooseAll<const T extends readonly string[]>(
  name: string,
  values: T,
  given: string | undefined,
): T[number][] {
  return readList(given ?? '').map((each) => choose(name, values, each))
}

/** Parses a whole number from `min` to `max`. Throws a UsageError for anything else. */
export function chooseNumber(name: string, text: string, { min, max }: { min: number; max: number }): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isInteger(number) || number < min || number > max)
    throw new UsageError(`--${name} takes a whole number from ${min} to ${max}.`)
  return number
}
