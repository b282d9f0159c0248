import { isIP } from 'node:net'
import { FormatRegistry, type StringOptions, Type } from 'typebox'
import { readMailAddress } from '#src/mail/rules'
import { narrators } from '#src/narration/rules'
import { readDatabaseAddress } from '#src/text/database-address'
import type { ValueKind } from '#src/text/odd-character'

/** The format of a text variable: its allowed characters, its description, and the check of a value. */
type Format = { characters: ValueKind | 'any'; takes?: string; isRight: (text: string) => boolean }

const isText = () => true
const formats = {
  text: { characters: 'header', isRight: isText },
  line: { characters: 'line', isRight: isText },
  opaque: { characters: 'any', isRight: isText },
  pem: { characters: 'header', isRight: isText },
  contact: { characters: 'address', isRight: isText },
  'web address': { characters: 'address', isRight: isAddress('http:', 'https:') },
  issuer: {
    characters: 'address',
    takes: 'an https address; http only on this machine',
    isRight: isIssuer,
  },
  origin: { characters: 'address', isRight: isOrigin },
  'host name': { characters: 'address', isRight: isHostName },
  network: { characters: 'header', isRight: isNetwork },
  'age gate': {
    characters: 'address',
    takes: 'confirm, off, or the https address of a provider',
    isRight: isAgeGate,
  },
  database: {
    characters: 'line',
    takes: 'an address such as postgres://user:password@host:5432/nocturne',
    isRight: (text: string) => readDatabaseAddress(text) !== null,
  },
  'one database': {
    characters: 'line',
    takes: 'the address of one server, such as postgres://user:password@host:5432/nocturne',
    isRight: (text: string) => readDatabaseAddress(text)?.hosts.length === 1,
  },
  'mail server': {
    characters: 'line',
    takes: 'an address such as smtps://user:password@mail.example.com',
    isRight: isAddress('smtp:', 'smtps:'),
  },
  'mail sender': {
    characters: 'line',
    takes: 'an address such as Nocturne <hello@example.com>',
    isRight: (text: string) => readMailAddress(text) !== null,
  },
} as const satisfies Record<string, Format>
for (const [name, { isRight }] of Object.entries(formats)) FormatRegistry.Set(name, isRight)

/** Metadata of a variable besides its type and limits. */
type About = StringOptions & {
  format?: keyof typeof formats
  /** The end of a sentence that begins "it takes". */
  takes?: string
  /** The effective value if the variable is not set and has no default. */
  unset?: string
  /** Never repeats the value in a message. */
  isSecret?: true
}

/** The kinds of variables. Each takes the variable's name and its description in the README. */
export const text = (variable: string, words: string, about: About = {}) =>
  Type.String({ variable, words, ...formats[about.format ?? 'text'], format: 'text', ...about })
export const address = (variable: string, words: string, example: string, about: About = {}) =>
  text(variable, words, { format: 'web address', takes: `an address such as ${example}`, ...about })
export const integer = (
  variable: string,
  words: string,
  limits: { default: number; minimum: number; maximum: number },
) =>
  Type.Integer({
    variable,
    words,
    takes: `a whole number from ${limits.minimum} to ${limits.maximum}`,
    ...limits,
  })
export const amount = (variable: string, words: string, usd: number) =>
  Type.Number({ variable, words, default: usd, takes: 'an amount such as 0.3' })
export const oneOf = <const T extends string>(
  variable: string,
  words: string,
  values: readonly T[],
  fallback: NoInfer<T>,
) =>
  Type.Unsafe<T>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      { variable, words, default: fallback, takes: `one of ${values.join(', ')}` },
    ),
  )
export const onOff = (variable: string, words: string) =>
  Type.Boolean({ variable, words, default: true, takes: 'one of on, off' })
export const list = (variable: string, words: string, format: keyof typeof formats, takes: string) =>
  Type.Array(text(variable, words, { format }), {
    ...{ variable, words, characters: formats[format].characters },
    default: [],
    takes: `comma-separated ${takes}`,
  })
export const voices = (variable: string, example: string) =>
  Type.Record(Type.String({ pattern: `^(${narrators.join('|')})$` }), Type.String({ minLength: 1 }), {
    variable,
    words: 'ids of voices by narrator, which override the known ones',
    default: {},
    takes: `comma-separated narrators with their voices, such as ${example}`,
  })
/** 32 random characters have 192 bits and cannot be guessed, so guesses need no rate limit that would delay others. */
export const secret = (variable: string, words: string, about: About = {}) =>
  text(variable, words, {
    minLength: 32,
    isSecret: true,
    takes: 'at least 32 random characters. `openssl rand -base64 32` makes some',
    unset: 'generated once into `DATA_DIR`, mode 0600',
    ...about,
  })
/** The account of another service needs all of its variables. */
export const account = { incomplete: (names: string) => `set all of ${names}, or none.` }

function isAgeGate(text: string): boolean {
  return text === 'confirm' || text === 'off' || URL.parse(text)?.protocol === 'https:'
}

function isAddress(...protocols: string[]): (text: string) => boolean {
  return (text) => protocols.includes(URL.parse(text)?.protocol ?? '')
}

/** Whether an address can be an issuer. Over plain http, anybody on the network could forge who signs in. */
function isIssuer(text: string): boolean {
  const { protocol, hostname = '' } = URL.parse(text) ?? {}
  return (
    protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
  )
}

export function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return false
  return url.pathname === '/' && `${url.search}${url.hash}${url.username}${url.password}` === ''
}

/** Whether a text is an IP address, or one with the prefix length of its network. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

function isHostName(text: string): boolean {
  return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) || /^\[[0-9a-f:.]+\]$/i.test(text)
}
