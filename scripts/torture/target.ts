import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '#db/db'
import { startEmbedded } from '#db/embedded/start'
import { type Program, type ProgramOptions, startProgram } from './program'

/** The program under torture, with its database. */
export type Target = Pick<Program, 'origin' | 'pid' | 'kill' | 'start'> & {
  dataDir: string
  /** The test's own connection to the same database. It bypasses any proxy between the program and the database. */
  db: Database
  stop(): Promise<void>
}

export type TargetOptions = Partial<ProgramOptions> & {
  /** Returns the database's address for the program, given the real one. */
  through?: (url: string) => Promise<string>
}

/** Starts the program with a real PostgreSQL under the same folder. */
export async function openTarget({ through, ...options }: TargetOptions = {}): Promise<Target> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'nocturne-torture-'))
  const embedded = await startEmbedded({ dataDir, log: () => {} })
  const databaseUrl = await through?.(embedded.url)
  const program = await startProgram({
    ...options,
    dataDir,
    environment: { ...(databaseUrl && { DATABASE_URL: databaseUrl }), ...options.environment },
  })
  const db = openDatabase(embedded.url, { max: 3, applicationName: 'torture' })
  return {
    ...program,
    dataDir,
    db,
    async stop() {
      await program.terminate()
      await db.close()
      await embedded.stop()
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
