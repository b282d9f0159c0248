import { desc, eq } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Executor } from '#db/db'
import { modelConfig } from '#db/schema'
import { requireUnchanged, type Seen } from '#db/unchanged'
import { AppError } from '#src/app-error'
import { addressProblem } from '#src/http-client/guarded-fetch'
import { recordChange } from '#src/operator/audit'
import { seal, UnsealError, unseal } from '#src/security/encryption'
import type { Services } from '#src/services'
import { invalidField } from '#src/shape/invalid-field'
import { oddCharacterProblem } from '#src/text/odd-character'
import { accessOf, environmentAccess, type ModelKeys, type ModelSettings } from './access'
import type { ModelAccess } from './question'
import { keyEndCharacters, maxTokens, temperature } from './rules'
import type { ModelConfig, ModelDraft } from './schema'

type ModelServices = Pick<Services, 'db' | 'env' | 'secrets'>
type Row = typeof modelConfig.$inferSelect
type KeyName = keyof ModelKeys

/** The configuration for display: without the keys, but with the last characters of each. */
export async function readConfiguration({ db, env, secrets }: ModelServices): Promise<ModelConfig> {
  const row = await findRow(db)
  const keys = row ? openKeys(row, secrets.encryption) : noKeys
  const access = row ? accessOf(row, keys, env) : environmentAccess(env)
  const settings = row ?? defaults
  return {
    provider: settings.provider,
    runpodApiUrl: settings.runpodApiUrl,
    runpodModelName: settings.runpodModelName,
    runpodMaxTokens: settings.runpodMaxTokens,
    runpodTemperature: settings.runpodTemperature,
    runpodUseJson: settings.runpodUseJson,
    hasRunpodApiKey: keys.runpodApiKey !== null,
    runpodApiKeyEnd: endOf(keys.runpodApiKey),
    openaiApiUrl: settings.openaiApiUrl,
    openaiModelName: settings.openaiModelName,
    hasOpenaiApiKey: keys.openaiApiKey !== null,
    openaiApiKeyEnd: endOf(keys.openaiApiKey),
    isActive: access !== null,
    source: access === null ? 'none' : row ? 'console' : 'environment',
    inUse: access && { provider: access.provider, model: access.model, host: new URL(access.url).host },
    updatedAt: row?.updatedAt.toISOString() ?? null,
  }
}

/** The model in use: the console's configuration, or the environment's; null if there is none. */
export async function findModel({ db, env, secrets }: ModelServices): Promise<ModelAccess | null> {
  const row = await findRow(db)
  return row ? accessOf(row, openKeys(row, secrets.encryption), env) : environmentAccess(env)
}

/**
 * Saves the form. An empty key keeps the saved one. A new address needs its key again, so that a saved key is never
 * sent to an address that somebody else has entered. Throws `invalid`, and `changed_since` if the caller has not seen
 * the present version.
 */
export async function saveConfiguration(
  services: ModelServices,
  { seen, ...draft }: ModelDraft & Seen,
  by: string,
): Promise<void> {
  const { db, secrets } = services
  await db.transaction(async (tx) => {
    const row = await findRow(tx)
    if (row) await requireUnchanged(tx, modelConfig, row.id, { seen })
    const { settings, keys } = mergeDraft(row, draft, services)
    const id = row?.id ?? newId()
    const sealed = (name: KeyName) => {
      const key = keys[name]
      return key === null ? null : seal(secrets.encryption, placeOf(id, name), key)
    }
    const values = {
      ...settings,
      runpodApiKey: sealed('runpodApiKey'),
      openaiApiKey: sealed('openaiApiKey'),
      isActive: true,
    }
    if (row) await tx.update(modelConfig).set(values).where(eq(modelConfig.id, id))
    else await tx.insert(modelConfig).values({ id, ...values })
    const before = row && openKeys(row, secrets.encryption)
    await recordChange(tx, by, {
      action: 'configure',
      subjectType: 'model',
      subjectId: id,
      before: row && pickSettings(row),
      after: {
        ...settings,
        changedKeys: (['runpodApiKey', 'openaiApiKey'] as const).filter(
          (name) => keys[name] !== before?.[name],
        ),
      },
    })
  })
}

/** The model of an unsaved form, to test it. Throws `invalid` and `not_configured`. */
export async function modelOfDraft(services: ModelServices, draft: ModelDraft): Promise<ModelAccess> {
  const { settings, keys } = mergeDraft(await findRow(services.db), draft, services)
  const access = accessOf(settings, keys, services.env)
  if (!access)
    throw new AppError(
      'not_configured',
      settings.provider === 'openai'
        ? 'There is no key. Enter one, or set OPENAI_API_KEY.'
        : 'There is no address. Enter the RunPod API URL.',
    )
  return access
}

const noKeys: ModelKeys = { runpodApiKey: null, openaiApiKey: null }
const defaults: ModelSettings = {
  provider: 'openai',
  runpodApiUrl: null,
  runpodModelName: null,
  runpodMaxTokens: maxTokens.default,
  runpodTemperature: temperature.default,
  runpodUseJson: false,
  openaiApiUrl: null,
  openaiModelName: null,
}

async function findRow(db: Executor): Promise<Row | null> {
  const [row] = await db.select().from(modelConfig).orderBy(desc(modelConfig.createdAt)).limit(1)
  return row ?? null
}

function mergeDraft(
  row: Row | null,
  draft: ModelDraft,
  { env, secrets }: ModelServices,
): { settings: ModelSettings; keys: ModelKeys } {
  const before = row ? pickSettings(row) : defaults
  const text = (given: string | null | undefined, saved: string | null) =>
    given === undefined ? saved : given?.trim() || null
  const settings: ModelSettings = {
    provider: draft.provider,
    runpodApiUrl: readAddress('runpodApiUrl', text(draft.runpodApiUrl, before.runpodApiUrl), env),
    runpodModelName: text(draft.runpodModelName, before.runpodModelName),
    runpodMaxTokens: draft.runpodMaxTokens ?? before.runpodMaxTokens,
    runpodTemperature: readTemperature(draft.runpodTemperature) ?? before.runpodTemperature,
    runpodUseJson: draft.runpodUseJson ?? before.runpodUseJson,
    openaiApiUrl: readAddress('openaiApiUrl', text(draft.openaiApiUrl, before.openaiApiUrl), env),
    openaiModelName: text(draft.openaiModelName, before.openaiModelName),
  }
  const savedKeys = row ? openKeys(row, secrets.encryption) : noKeys
  const keys: ModelKeys = {
    runpodApiKey: keyFor('runpodApiKey', draft, savedKeys, {
      isNewAddress: before.runpodApiUrl !== settings.runpodApiUrl,
    }),
    openaiApiKey: keyFor('openaiApiKey', draft, savedKeys, {
      isNewAddress: before.openaiApiUrl !== settings.openaiApiUrl,
    }),
  }
  return { settings, keys }
}

function keyFor(
  name: KeyName,
  draft: ModelDraft,
  savedKeys: ModelKeys,
  { isNewAddress }: { isNewAddress: boolean },
): string | null {
  const given = draft[name]?.trim()
  const odd = given ? oddCharacterProblem('key', given, 'header') : null
  if (odd) throw invalidField(name, odd)
  if (given) return given
  if (!isNewAddress || savedKeys[name] === null) return savedKeys[name]
  throw invalidField(name, 'The address is new: enter the key for it again.')
}

function readAddress(path: string, address: string | null, env: ModelServices['env']): string | null {
  if (address === null) return null
  const problem = addressProblem(address, env.allowPrivateModelUrls)
  if (problem) throw invalidField(path, problem)
  return address.replace(/\/+$/, '')
}

/** The temperature is stored as text, in the form's steps of a tenth. */
function readTemperature(given: string | number | undefined): string | null {
  return given === undefined ? null : String(Number(given))
}

function openKeys(row: Row, secret: string): ModelKeys {
  const open = (name: KeyName) => {
    const sealed = row[name]
    try {
      const key = sealed === null ? null : unseal(secret, placeOf(row.id, name), sealed)
      // The key was saved before such characters were refused; calls with it would fail.
      return key !== null && oddCharacterProblem('key', key, 'header') ? null : key
    } catch (error) {
      // An unreadable key counts as missing. The form shows this, and the key can be entered again.
      if (error instanceof UnsealError) return null
      throw error
    }
  }
  return { runpodApiKey: open('runpodApiKey'), openaiApiKey: open('openaiApiKey') }
}

function placeOf(row: string, name: KeyName) {
  return { table: 'model_config', row, column: name === 'runpodApiKey' ? 'runpod_api_key' : 'openai_api_key' }
}

function endOf(key: string | null): string | null {
  // The end of a key, unless the key is so short that its end would reveal much of it.
  return key && key.length >= 4 * keyEndCharacters ? key.slice(-keyEndCharacters) : key && ''
}

function pickSettings(row: Row): ModelSettings {
  const { provider, runpodApiUrl, runpodModelName, runpodMaxTokens } = row
  const { runpodTemperature, runpodUseJson, openaiApiUrl, openaiModelName } = row
  return {
    provider,
    runpodApiUrl,
    runpodModelName,
    runpodMaxTokens,
    runpodTemperature,
    runpodUseJson,
    openaiApiUrl,
    openaiModelName,
  }
}
