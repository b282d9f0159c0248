/** Bun's hashes in file names. */
export const hashCharacters = 8
/** The character of the first shared file; the next ones follow it, and none of them is a control character. */
export const firstCharacter = 0x100
