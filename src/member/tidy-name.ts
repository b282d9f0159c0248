import { tidyLine } from '#src/text/tidy-text'
import { nameCharactersMax } from './rules'

/** A first or last name as it is stored, from whatever source; null where there is none. */
export function tidyName(text: string | null | undefined): string | null {
  return tidyLine(text ?? '').slice(0, nameCharactersMax) || null
}
