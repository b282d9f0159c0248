import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { type TObject, type TSchema, TypeGuard } from 'typebox'
import { Value } from 'typebox/value'
import { isOrigin } from '#src/env-kinds'
import { envSchema } from '#src/env-schema'
import { readMailAddress } from '#src/mail/rules'
import { oddCharacterProblem } from '#src/text/odd-character'

/** The environment, parsed and checked once. */
export type Env = ReturnType<typeof readEnv>

/** Lists every problem of the environment, each with its fix. */
export class EnvError extends Error {}

/** The variables that the supervisor sets for each of several processes (src/server/supervise.ts). */
const supervisedNames = {
  number: 'NOCTURNE_PROCESS_NUMBER',
  folder: 'NOCTURNE_PROCESS_FOLDER',
} as const

type Source = Record<string, string | undefined>

/**
 * Parses the environment as `envSchema` describes it. Throws an EnvError that names each wrong variable, its value and
 * the accepted values, but never repeats a secret.
 */
export function readEnv(source: Source = process.env) {
  const problems: string[] = []
  const values = readObject(envSchema, source, problems)
  if (URL.parse(String(values?.ageGate))?.protocol === 'https:' && values?.ageGateSecret === undefined)
    problems.push('AGE_GATE_SECRET missing: set what the provider of AGE_GATE signs its answers with.')
  if (values?.processes !== '1' && process.platform !== 'linux')
    problems.push('PROCESSES has to be 1 here: only Linux shares a port between processes.')
  if (Number(values?.processes) > embeddedProcessesMax && values?.databaseUrl === undefined)
    problems.push(
      `PROCESSES is at most ${embeddedProcessesMax} with the embedded PostgreSQL. Set DATABASE_URL for more.`,
    )
  problems.push(...deliveryProblems(values))
  if (problems.length > 0) throw new EnvError(problems.join('\n'))
  Value.Assert(envSchema, values)

  const publicUrl = values.publicUrl ?? `http://localhost:${values.port}`
  return {
    ...values,
    publicUrl,
    processes: countProcesses(values.processes, values.databaseUrl ? 99 : embeddedProcessesMax),
    /**
     * The number of this process, set only by the supervisor of several processes: from 1 on, and 0 for a single
     * process.
     */
    processNumber: Number(source[supervisedNames.number] ?? 0),
    /** The folder that the supervised processes share. */
    processFolder: source[supervisedNames.folder],
    isSecure: publicUrl.startsWith('https:'),
    dataDir: resolve(values.dataDir),
    mailFrom: readMailAddress(values.mailFrom ?? '') ?? undefined,
    /**
     * Whether requests to other servers go through a proxy, so that the other end's address cannot be checked first.
     */
    isProxied: ['HTTPS_PROXY', 'HTTP_PROXY', 'https_proxy', 'http_proxy'].some((name) =>
      textOf(source, name),
    ),
  }
}

/**
 * Describes settings with which audio would not arrive: there is no store to redirect to, no file that nginx could
 * send, or an address that a secure page may not load.
 */
function deliveryProblems(values: Record<string, unknown> | undefined): string[] {
  const { audioDelivery, s3, publicUrl } = values ?? {}
  if (audioDelivery === 'accel' && s3)
    return [
      'AUDIO_DELIVERY is "accel", and audio is in S3: set it to redirect or proxy, or unset the S3_ variables.',
    ]
  if (audioDelivery !== 'redirect') return []
  if (!s3)
    return [
      'AUDIO_DELIVERY is "redirect", and audio is in a folder: set the S3_ variables, or accel or proxy.',
    ]
  const store = audioOrigin({ audioDelivery, s3: { endpoint: '', ...s3 } })
  return String(publicUrl).startsWith('https:') && !store?.startsWith('https:')
    ? ['AUDIO_DELIVERY is "redirect": set S3_PUBLIC_ENDPOINT to an https address, since PUBLIC_URL is one.']
    : []
}

/** The origin to which browsers are redirected for audio; null if it is served from ours. */
export function audioOrigin({
  audioDelivery,
  s3,
}: {
  audioDelivery: string
  s3?: { endpoint: string; publicEndpoint?: string } | undefined
}): string | null {
  if (audioDelivery !== 'redirect' || !s3) return null
  return URL.parse(s3.publicEndpoint ?? s3.endpoint)?.origin ?? null
}

/**
 * Maximum processes with the embedded PostgreSQL. Each has its own connections, and PostgreSQL has 60
 * (src/server/open-database.ts).
 */
const embeddedProcessesMax = 10

function countProcesses(text: string, most: number): number {
  return Math.min(most, text === 'auto' ? availableParallelism() : Number(text))
}

function readObject(schema: TObject, source: Source, problems: string[]) {
  const values: Record<string, unknown> = {}
  for (const [key, each] of Object.entries(schema.properties)) {
    values[key] = TypeGuard.IsObject(each)
      ? readObject(each, source, problems)
      : readVariable(each, source, problems)
  }
  if (!schema.incomplete) return values
  const names = Object.values(schema.properties)
    .filter((each) => !TypeGuard.IsOptional(each) && each.default === undefined)
    .map((each): string => each.variable)
  const missing = names.filter((name) => !textOf(source, name))
  if (missing.length > 0 && missing.length < names.length)
    problems.push(`${missing.join(', ')} missing: ${schema.incomplete(names.join(', '))}`)
  return missing.length > 0 ? undefined : values
}

function readVariable(schema: TSchema, source: Source, problems: string[]): unknown {
  const name: string = schema.variable
  const text = textOf(source, name)
  const value = text === undefined ? undefined : parse(schema, text)
  if (text === undefined || value === undefined) return schema.default
  const odd = oddCharacterIn(schema, text)
  if (odd) problems.push(`${name}: ${odd}`)
  const got = schema.isSecret ? 'not usable' : JSON.stringify(source[name])
  if (!Value.Check(schema, value)) problems.push(`${name} is ${got}: it takes ${schema.takes}.`)
  return value
}

/** The text of a variable; a blank one counts as not set. */
function textOf(source: Source, name: string): string | undefined {
  return source[name]?.trim() || undefined
}

/** Parses the text of a variable. Returns the text itself if it cannot be parsed, and undefined for an empty list. */
function parse(schema: TSchema, text: string): unknown {
  if (TypeGuard.IsInteger(schema)) return /^\d+$/.test(text) ? Number(text) : text
  if (TypeGuard.IsNumber(schema)) return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text
  if (TypeGuard.IsBoolean(schema)) return { on: true, off: false }[text] ?? text
  if (TypeGuard.IsString(schema)) return parseText(schema.format, text)
  if (TypeGuard.IsUnion(schema)) return text
  const parts = text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
  if (parts.length === 0) return undefined
  if (TypeGuard.IsArray(schema))
    return [...new Set(parts.map((each) => parseText(schema.items.format, each)))]
  const pairs = parts.map((each) => each.split('=').map((part) => part.trim()))
  return pairs.every((pair) => pair.length === 2) ? Object.fromEntries(pairs) : text
}

function parseText(format: string | undefined, text: string): string {
  // In a file of variables, line ends are written as \n.
  if (format === 'pem') return text.replaceAll('\\n', '\n')
  if (format === 'origin') return isOrigin(text) ? new URL(text).origin : text
  return format && /address|database|server|issuer/.test(format) ? text.replace(/\/+$/, '') : text
}

/**
 * Finds a character that is not allowed. Most values become a header or a part of an address, so odd characters are
 * refused unless the variable allows them.
 */
function oddCharacterIn(schema: TSchema, text: string): string | null {
  const { characters = 'header' } = schema
  if (characters === 'any') return null
  const what = characters === 'address' ? 'address' : 'value'
  // A private key has several lines.
  return oddCharacterProblem(what, schema.format === 'pem' ? text.replace(/\r?\n/g, ' ') : text, characters)
}

/**
 * The environment of another program that we run: without PGDATA, PGPORT, PGOPTIONS and the like from outside, and
 * without our secrets.
 */
export function programEnvironment(): Record<string, string> {
  const { PATH = '/usr/local/bin:/usr/bin:/bin', SystemRoot } = process.env
  return { PATH, LC_ALL: 'C.UTF-8', ...(SystemRoot ? { SystemRoot } : {}) }
}

export type SupervisedProcess = { number: number; port: number; folder: string }

/**
 * The environment of one of several processes of this program: ours, with its number, its port and the shared folder.
 */
export function supervisedEnvironment({ number, port, folder }: SupervisedProcess): Source {
  return {
    ...process.env,
    PORT: String(port),
    [supervisedNames.number]: String(number),
    [supervisedNames.folder]: folder,
  }
}
