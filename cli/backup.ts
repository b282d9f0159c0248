import { defineCommand } from 'citty'
import { audioNotIn, printAudioNotIn } from '#cli/audio-not-in-backup'
import { jsonFlag, print, printNote, progressBar } from '#cli/output'
import { stoppable } from '#cli/stoppable'
import { fileNamed } from '#cli/value-hints'
import { operatorName } from '#cli/with-services'
import { openDatabase } from '#db/db'
import { backUp } from '#src/backup/back-up'
import { readEnv } from '#src/env'
import { createLog } from '#src/process/log'
import { loadSecrets } from '#src/security/secrets'
import { bringUpDatabase } from '#src/server/open-database'
import { openStorage } from '#src/storage/storage'
import { pluralize } from '#src/text/pluralize'

export default defineCommand({
  meta: {
    name: 'backup',
    description:
      'Writes the whole library into one file: every table as it is at this moment, and the audio; while the server runs. Sessions, links in mails and counters of guesses are left out. Example: nocturne backup library.zip',
  },
  args: {
    file: { type: 'positional', ...fileNamed('The file to write'), required: true },
    'without-audio': {
      type: 'boolean',
      description: 'Only a list of the audio, if its files are backed up elsewhere',
      default: false,
    },
    'with-secrets': {
      type: 'boolean',
      description:
        'Also the secrets of sealed texts and cookies: whoever has the file can then open everything',
      default: false,
    },
    force: { type: 'boolean', description: 'Replace an existing file', default: false },
    ...jsonFlag,
  },
  run: ({ args }) =>
    stoppable(async (stop) => {
      const env = readEnv()
      const database = await bringUpDatabase(env, createLog('warn'))
      const db = openDatabase(database.url, { max: 1, applicationName: 'nocturne backup' })
      try {
        stop.throwIfAborted()
        const services = { db, storage: openStorage(env), secrets: loadSecrets(env), by: operatorName() }
        const { manifest, sizeBytes } = await backUp(services, args.file, {
          force: args.force,
          withoutAudio: args['without-audio'],
          withSecrets: args['with-secrets'],
          stop,
          ...(process.stderr.isTTY && { onProgress: progressBar() }),
        })
        const { tables, audio, ...rest } = manifest
        const data = {
          file: args.file,
          sizeBytes,
          madeAt: rest.madeAt,
          migration: rest.migration.name,
          tables: tables.length,
          rows: tables.reduce((sum, { rows }) => sum + rows, 0),
          audioFiles: audio.filter(({ state }) => state === 'whole').length,
          ...audioNotIn(manifest),
          leftOut: rest.leftOut,
          hasSecrets: rest.hasSecrets,
        }
        print(args, data, () => [
          `${data.file}: ${pluralize(data.rows, 'row')} of ${pluralize(data.tables, 'table')}, ${pluralize(data.audioFiles, 'audio file')}, ${(sizeBytes / 1024 / 1024).toFixed(1)} MB`,
        ])
        printAudioNotIn(manifest)
        printNote(
          data.hasSecrets
            ? 'The file has the secrets: whoever has it can open everything. Keep it like a password.'
            : 'The file does not have the secrets. Without this ENCRYPTION_KEY the keys of models and waiting mails cannot be opened after a restore: keep it elsewhere, or add --with-secrets.',
        )
      } finally {
        await db.close()
        await database.stop()
      }
    }),
})
