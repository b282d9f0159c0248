import { join } from 'node:path'
import { DrizzleQueryError } from 'drizzle-orm'
import type { Database } from '#db/db'
import { type AudioCount, countAudio } from '#src/audio-file/count-audio'
import type { Env } from '#src/env'
import { firstLineOf, unreachableMessage } from '#src/http-client/unreachable'
import { openStorage } from '#src/storage/storage'
import { pluralize } from '#src/text/pluralize'
import type { Finding } from './schema'

/** Checks the folder or the bucket: what it contains and, with a database of this version, what is missing. */
export async function checkAudio(env: Env, db: Database | null): Promise<Finding[]> {
  const subject = env.s3 ? 'audio in S3' : 'audio'
  try {
    const counted = await countAudio(openStorage(env), db)
    const size = `${(counted.bytes / 1024 / 1024).toFixed(1)} MB`
    const what = `${pluralize(counted.files, 'file')}, ${size}`
    return [{ subject, isRight: true, what }, ...(counted.missing > 0 ? [missingAudio(env, counted)] : [])]
  } catch (error) {
    if (error instanceof DrizzleQueryError) throw error
    const what = unreachableMessage(error, 'S3_ENDPOINT', env.s3?.endpoint ?? '') ?? firstLineOf(error)
    return [{ subject, isRight: false, what, mend: 'Check the S3_ variables, and that the bucket exists.' }]
  }
}

/**
 * The finding about missing audio, as after a restore without audio, or with another DATA_DIR or bucket than before.
 */
function missingAudio({ s3, dataDir }: Env, { narrated, missing }: AudioCount): Finding {
  const place = s3 ? `the bucket ${s3.bucket}` : join(dataDir, 'audio')
  return {
    subject: 'audio',
    isRight: false,
    what: `${missing} of ${pluralize(narrated, 'file')} of narrations ${missing === 1 ? 'is' : 'are'} not in ${place}.`,
    mend: `Correct ${s3 ? 'S3_BUCKET' : 'DATA_DIR'} where they are elsewhere, copy them there, or narrate those items anew.`,
  }
}
