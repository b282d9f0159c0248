import { dictionary } from '@zxcvbn-ts/language-common'

/** The commonest passwords are refused: the list is sorted, the commonest first, and this many of it count. */
const refusedCount = 1_000

export const commonPasswords: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].slice(0, refusedCount),
)
