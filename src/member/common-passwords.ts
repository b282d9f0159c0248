import { dictionary } from '@zxcvbn-ts/language-common'

/** How many of the commonest passwords are refused (product.md §3); the list is sorted, the commonest first. */
const refusedCount = 1_000

export const commonPasswords: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].slice(0, refusedCount),
)
