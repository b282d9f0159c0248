import type { Voice } from '#src/story/rules'
import { titleKey } from '#src/story/title-key'

/** The parts of an audio file's name: the item's key, and the voice if the name ends in one. */
export type AudioName = { key: string; voice: Voice | null }

/**
 * Reads "The Gift_female.mp3" and "the-gift.mp3" as the key of "The Gift", with or without a voice. Folders are
 * dropped.
 */
export function readAudioName(fileName: string): AudioName {
  const base = fileName.replace(/^.*[\\/]/, '').replace(/\.[a-z0-9]{1,5}$/i, '')
  const key = titleKey(base)
  const voice = key.match(/ (female|male)$/)?.[1]
  return voice === 'female' || voice === 'male'
    ? { key: key.slice(0, -voice.length - 1), voice }
    : { key, voice: null }
}

export type AudioMatch<File> = { file: File; voice: Voice }

/**
 * Finds the files of an item: those that its row names, otherwise those named like its title. A file name without a
 * voice means the item's own voice. If two files have the same voice, the first is used and the other stays unmatched.
 */
export function matchAudio<File extends { fileName: string }>(
  item: { title: string; voice: Voice; linkedAudio: Partial<Record<Voice, string>> },
  files: ReadonlyMap<string, readonly (File & { name: AudioName })[]>,
): AudioMatch<File>[] {
  const found = new Map<Voice, File>()
  for (const voice of ['female', 'male'] as const) {
    const linked = item.linkedAudio[voice]
    const file =
      linked &&
      files.get(readAudioName(linked).key)?.find((each) => baseName(each.fileName) === baseName(linked))
    if (file) found.set(voice, file)
  }
  for (const file of files.get(titleKey(item.title)) ?? []) {
    const voice = file.name.voice ?? item.voice
    if (!found.has(voice)) found.set(voice, file)
  }
  return [...found].map(([voice, file]) => ({ voice, file }))
}

/** Groups files by the key of their name, for `matchAudio`. */
export function groupByKey<File extends { fileName: string }>(
  files: readonly File[],
): Map<string, (File & { name: AudioName })[]> {
  const groups = new Map<string, (File & { name: AudioName })[]>()
  for (const file of files) {
    const name = readAudioName(file.fileName)
    groups.set(name.key, [...(groups.get(name.key) ?? []), { ...file, name }])
  }
  return groups
}

function baseName(fileName: string): string {
  return fileName.replace(/^.*[\\/]/, '').toLowerCase()
}
