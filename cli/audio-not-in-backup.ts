import { printNote } from '#cli/output'
import type { Manifest } from '#src/backup/manifest'
import { pluralize } from '#src/text/pluralize'

/** The audio that a backup lists and a restore cannot put back: how many files were left out, and which were lost. */
export function audioNotIn({ audio }: Manifest) {
  return {
    audioLeftOut: audio.filter(({ state }) => state === 'left-out').length,
    audioMissing: audio
      .filter(({ state }) => state === 'missing' || state === 'spoilt')
      .map(({ hash }) => hash),
  }
}

export function printAudioNotIn(manifest: Manifest): void {
  const { audioLeftOut, audioMissing } = audioNotIn(manifest)
  for (const hash of audioMissing)
    printNote(`Audio ${hash} was missing or damaged in the storage, so it is not in the file.`)
  if (audioLeftOut > 0) printNote(`Audio left out: ${pluralize(audioLeftOut, 'file')}. Keep it elsewhere.`)
}
