import { sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import type { Env } from '#src/env'
import { staleWhileRevalidate } from '#src/process/cache'
import type { Services } from '#src/services'
import { checkReached } from './check-public'
import { checkAddress, checkBackup, checkDelivery, checkMail, checkName, checkVoice } from './checks'
import type { Finding, SetupState, SetupStep } from './schema'

type SetupServices = Pick<Services, 'db' | 'env'>

/**
 * Describes the steps to a public site, each with its present state. The checks are those of `nocturne doctor`, except
 * for the connection to the mail server, which may take seconds; that a mail was accepted says more.
 */
export async function describeSetup(services: SetupServices): Promise<SetupState> {
  const { db, env } = services
  const [isLibraryEmpty, address, mail, backup, voice] = await Promise.all([
    isEmpty(db),
    describeAddress(env),
    env.smtpUrl ? checkDelivery(db) : checkMail(env),
    checkBackup(db),
    checkVoice(db, env),
  ])
  return {
    isLibraryEmpty,
    steps: [
      toStep('A name', checkName(env)),
      toStep('An address', address),
      toStep('Mail', mail),
      toStep('A backup', backup),
      toStep('A voice', voice),
    ],
  }
}

/** Checks the setting and, if others could use the address, whether it leads here. */
async function describeAddress(env: Env): Promise<Finding> {
  const said = checkAddress(env)
  return said.mend ? said : reached(env.publicUrl, () => checkReached(env))
}

const reached = staleWhileRevalidate<Finding>({ freshMs: 60_000, entriesMax: 4 })

function toStep(title: string, finding: Finding): SetupStep {
  return { title, isDone: finding.isRight && finding.mend === undefined, finding }
}

/** Whether the library is empty, or has only the demo. */
async function isEmpty(db: Executor): Promise<boolean> {
  const [own] = await db.execute(sql`
    select 1 from stories where source = 'pre_uploaded' and status <> 'removed'
      and not exists (select 1 from demo_items where story_id = stories.id) limit 1`)
  return own === undefined
}
