/** The length of the hashes that Bun puts into file names. */
export const hashCharacters = 8
/** The character code of the first shared file; the next files follow it. None of these is a control character. */
export const firstCharacter = 0x100
