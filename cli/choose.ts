import { UsageError } from '#cli/failure'
import { readList } from '#src/text/tidy-text'

/** The value of a closed list that a word names. */
export function choose<const T extends readonly string[]>(name: string, values: T, given: string): T[number] {
  const found = values.find((each) => each === given)
  if (!found) throw new UsageError(`${JSON.stringify(given)} is no ${name}. Use ${values.join(', ')}.`)
  return found
}

/** The same for words with commas between. */
export function chooseAll<const T extends readonly string[]>(
  name: string,
  values: T,
  given: string | undefined,
): T[number][] {
  return readList(given ?? '').map((each) => choose(name, values, each))
}

/** A whole number from `min` to `max`. */
export function chooseNumber(name: string, text: string, { min, max }: { min: number; max: number }): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isInteger(number) || number < min || number > max)
    throw new UsageError(`--${name} takes a whole number from ${min} to ${max}.`)
  return number
}
