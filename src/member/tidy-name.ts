import { shorten } from '#src/text/shorten'
import { tidyLine } from '#src/text/tidy-text'
import { nameCharactersMax } from './rules'

/** Normalises a first or last name for storage, whatever its source. Null for an empty one. */
export function tidyName(text: string | null | undefined): string | null {
  return shorten(tidyLine(text ?? ''), nameCharactersMax) || null
}
