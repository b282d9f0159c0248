import { join } from 'node:path'
import { KindGuard } from 'typebox'
import { openDatabase } from '#db/db'
import { readEnv } from '#src/env'
import { createLog } from '#src/process/log'
import { describeCalls, type Operation } from '#src/server/api-document'
import type { JsonSchema } from '#src/server/api-examples'
import { createRouter } from '#src/server/app'
import { folderStorage } from '#src/storage/storage'

const root = join(import.meta.dir, '..')
export const apiTypesFile = join(root, 'islands/runtime/api-types.ts')

/**
 * Returns the TypeScript types of the program's API: the path, query, body and answer of each call, from the API
 * document. A shape that a noun's schema file exports is referred to by name; every other one is written out.
 */
export async function printApiTypes(): Promise<string> {
  const paths = readCalls()
  const names = await nameSchemas()
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      if (method === 'head') return []
      const name = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`
      return [`${JSON.stringify(name)}: ${printCall(operation, names)}`]
    }),
  )
  const types = `export type Api = {\n${calls.join('\n')}\n}`
  const nouns = [...names.values()].filter(({ noun }) => types.includes(`typeof ${noun}.`))
  const imports = new Map(
    nouns.map(({ noun, path }) => [noun, `import type * as ${noun} from '#src/${path}'`]),
  )
  return format(
    [
      "import type { Static } from 'typebox'",
      ...imports.values(),
      '',
      '/** The calls of the API. Generated from its document by `bun run api-types`; not edited by hand. */',
      types,
    ].join('\n'),
  )
}

/** Reads the calls of the program. It is assembled but not started, because describing it needs no database. */
function readCalls() {
  const env = readEnv({})
  const router = createRouter({
    db: openDatabase('postgres://localhost'),
    env,
    secrets: {
      session: '',
      encryption: '',
      operatorToken: '',
      operatorTokenFile: null,
      push: { publicKey: '', privateKey: '' },
    },
    storage: folderStorage(''),
    assets: { manifest: emptyManifest, respond: () => null },
    log: createLog('error'),
    stopping: new AbortController().signal,
  })
  return describeCalls(router)
}

const emptyManifest = {
  build: '',
  styles: '',
  consoleStyles: '',
  loader: '',
  analytics: '',
  worker: '',
  offline: [],
  islands: {},
  islandCodes: {},
  preload: { fonts: [], icons: 'icons.svg', chunks: {} },
  files: {},
}

/** An exported schema. `noun` is the name under which its file is imported. */
type Named = { noun: string; path: string; name: string }

/** Returns the schemas that nouns export, by their printed shape. */
async function nameSchemas(): Promise<Map<string, Named>> {
  const names = new Map<string, Named>()
  const files = await Array.fromAsync(new Bun.Glob('**/*schema.ts').scan(join(root, 'src')))
  for (const file of files.sort()) {
    const path = file.replace(/\.ts$/, '')
    const noun = path.replace(/[-/]?schema$/, '').replace(/[-/](\w)/g, (_, letter) => letter.toUpperCase())
    for (const [name, schema] of Object.entries(await import(join(root, 'src', file)))) {
      if (!KindGuard.IsObject(schema)) continue
      const shape = printShape(schema, new Map())
      if (!names.has(shape)) names.set(shape, { noun, path, name })
    }
  }
  return names
}

function printCall(operation: Operation, names: ReadonlyMap<string, Named>): string {
  const { parameters = [], requestBody, responses = {} } = operation
  const fieldsIn = (place: string) => {
    const fields = parameters.filter((each) => each.in === place)
    if (fields.length === 0) return null
    const properties = Object.fromEntries(fields.map(({ name, schema }) => [name, schema]))
    const required = fields.filter((each) => each.required).map(({ name }) => name)
    return `${place}${required.length > 0 ? '' : '?'}: ${printObject({ properties, required }, names)}`
  }
  const body = requestBody?.content['application/json']?.schema
  const [success] = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const answer = success?.[1].content?.['application/json']?.schema
  const parts = [
    fieldsIn('path'),
    fieldsIn('query'),
    body && `body: ${printShape(body, names)}`,
    `answer: ${answer ? printShape(answer, names) : 'Blob'}`,
  ]
  return `{ ${parts.filter(Boolean).join('; ')} }`
}

/** Prints a JSON schema as a TypeScript type. */
function printShape(schema: JsonSchema, names: ReadonlyMap<string, Named>): string {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  if (types.length > 1 && !schema.enum)
    return printUnion(types.map((type) => printShape({ ...schema, type }, names)))
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return printUnion(schema.enum.map((each) => JSON.stringify(each)))
  if (schema.anyOf) return printUnion(schema.anyOf.map((each) => printShape(each, names)))
  const [type] = types
  if (type === 'array') return `(${printShape(schema.items ?? {}, names)})[]`
  if (type === 'object') return printObject(schema, names)
  if (type === 'integer') return 'number'
  return type ?? 'unknown'
}

function printObject(schema: JsonSchema, names: ReadonlyMap<string, Named>): string {
  const { properties, required = [], additionalProperties, patternProperties } = schema
  if (!properties) {
    const values = additionalProperties ?? Object.values(patternProperties ?? {})[0]
    return `Record<string, ${typeof values === 'object' ? printShape(values, names) : 'unknown'}>`
  }
  const isTelling = names.size > 0 && Object.keys(properties).length > 1
  const named = isTelling && names.get(printObject(schema, new Map()))
  if (named) return `Static<typeof ${named.noun}.${named.name}>`
  const fields = Object.entries(properties).map(
    ([name, each]) =>
      `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${printShape(each, names)}`,
  )
  return `{ ${fields.join('; ')} }`
}

/** Prints a union with each type once, and null last, as people write it. */
function printUnion(types: readonly string[]): string {
  const isNull = (type: string) => type === 'null'
  return [...new Set([...types.filter((type) => !isNull(type)), ...types.filter(isNull)])].join(' | ')
}

async function format(source: string): Promise<string> {
  const biome = Bun.spawn(
    [join(root, 'node_modules/.bin/biome'), 'format', '--stdin-file-path=islands/runtime/api-types.ts'],
    {
      cwd: root,
      stdin: new Blob([source]),
      stderr: 'inherit',
    },
  )
  const formatted = await new Response(biome.stdout).text()
  if ((await biome.exited) !== 0) throw new Error('The types could not be formatted.')
  return formatted
}

if (import.meta.main) await Bun.write(apiTypesFile, await printApiTypes())
