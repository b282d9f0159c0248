import { defineCommand } from 'citty'
import { audioNotIn, printAudioNotIn } from '#cli/audio-not-in-backup'
import { jsonFlag, print, printNote, progressBar } from '#cli/output'
import { stoppable } from '#cli/stoppable'
import { fileNamed } from '#cli/value-hints'
import { operatorName } from '#cli/with-services'
import type { Manifest } from '#src/backup/manifest'
import { openArchive } from '#src/backup/open-archive'
import { openBackup, restore } from '#src/backup/restore'
import { readEnv } from '#src/env'
import { createLog } from '#src/process/log'
import { bringUpDatabase } from '#src/server/open-database'
import { openStorage } from '#src/storage/storage'
import { pluralize } from '#src/text/pluralize'

export default defineCommand({
  meta: {
    name: 'restore',
    description:
      'Puts a backup back into an empty database, while no server runs: all of it, or nothing. Everybody signs in again. Example: nocturne restore library.zip',
  },
  args: {
    file: { type: 'positional', ...fileNamed('A file that nocturne backup wrote'), required: true },
    check: {
      type: 'boolean',
      description: 'Only read the file and compare all of it with its hashes',
      default: false,
    },
    force: { type: 'boolean', description: 'Replace the existing library', default: false },
    ...jsonFlag,
  },
  async run({ args }) {
    const progress = process.stderr.isTTY ? { onProgress: progressBar() } : {}
    if (args.check) {
      const archive = await openBackup(args.file, progress.onProgress)
      archive.close()
      const { manifest } = archive
      print(args, { ...summary(args.file, manifest), ...audioNotIn(manifest) }, () => [
        `${args.file} is complete. ${inWords(manifest)}`,
      ])
      return printAudioNotIn(manifest)
    }
    // Checked first, so that no database is created for a file that does not exist.
    const { close } = await openArchive(args.file)
    close()
    const env = readEnv()
    await stoppable(async (stop) => {
      const database = await bringUpDatabase(env, createLog('warn'))
      try {
        stop.throwIfAborted()
        const services = { url: database.url, storage: openStorage(env), env, by: operatorName() }
        const report = await restore(services, args.file, { force: args.force, stop, ...progress })
        const { manifest, missingAudio, secrets, opensSealed } = report
        const data = {
          ...summary(args.file, manifest),
          missingAudio: missingAudio.map(({ hash }) => hash),
          secrets,
          opensSealed,
        }
        print(args, data, () => [`Restored. ${inWords(manifest)}`])
        for (const { hash, extension } of missingAudio)
          printNote(
            `Audio ${hash}.${extension} is missing: it was not in the backup, and is not in the storage.`,
          )
        if (secrets.written.length > 0)
          printNote(
            `Written into ${env.dataDir}: ${secrets.written.join(', ')}. What was there is kept as ….before-restore, with a number after the first time.`,
          )
        for (const name of secrets.toSet) printNote(`${name} is not the one that the backup was made with.`)
        if (!opensSealed)
          printNote(
            'The keys of models and waiting mails were sealed with another ENCRYPTION_KEY. Set that one, or enter the keys again; such mails are not sent.',
          )
      } finally {
        await database.stop()
      }
    })
  },
})

function summary(file: string, { tables, audio, madeAt, migration, program }: Manifest) {
  return {
    file,
    madeAt,
    program,
    migration: migration.name,
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    audioFiles: audio.filter(({ state }) => state === 'whole').length,
  }
}

function inWords(manifest: Manifest): string {
  const { rows, tables, audioFiles, madeAt } = summary('', manifest)
  return `${pluralize(rows, 'row')} of ${pluralize(tables, 'table')} and ${pluralize(audioFiles, 'audio file')}, as they were on ${madeAt.slice(0, 16).replace('T', ' at ')} UTC.`
}
