import { dictionary } from '@zxcvbn-ts/language-common'

/** Number of refused passwords. The list is sorted, most common first. */
const refusedCount = 1_000

export const commonPasswords: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].slice(0, refusedCount),
)
