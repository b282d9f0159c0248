#!/usr/bin/env bun
/** Updates README's table of settings from the schema of the environment: `bun run env-table`. */
import { type TObject, type TSchema, TypeGuard } from 'typebox'
import { envSchema } from '#src/env-schema'

const readmePath = new URL('../README.md', import.meta.url)
const begin = '<!-- env-table: made by `bun run env-table` -->'
const end = '<!-- /env-table -->'

/** Returns the text of README with its table of settings updated. */
export function withEnvTable(readme: string): string {
  const [before, after] = [readme.split(begin)[0], readme.split(end)[1]]
  const rows = [
    ['variable', 'meaning', 'takes', 'default'],
    ...variablesIn(envSchema).map((each) => [
      `\`${each.variable}\``,
      `${each.words}`,
      `${each.takes ?? 'text'}`,
      defaultOf(each),
    ]),
  ]
  return `${before}${begin}\n\n${toTable(rows)}\n\n${end}${after}`
}

/** Formats rows as a Markdown table, as Biome does. */
function toTable([head = [], ...rows]: string[][]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const rule = widths.map((width) => '-'.repeat(width))
  return [head, rule, ...rows]
    .map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
    .join('\n')
}

/** Returns the variables of a schema, including those of nested objects. */
export function variablesIn(schema: TObject): TSchema[] {
  return Object.values(schema.properties).flatMap((each) =>
    TypeGuard.IsObject(each) ? variablesIn(each) : [each],
  )
}

function defaultOf(schema: TSchema): string {
  const value: unknown = TypeGuard.IsBoolean(schema) ? (schema.default ? 'on' : 'off') : schema.default
  const text = Array.isArray(value) ? value.join(',') : typeof value === 'object' ? '' : String(value ?? '')
  return text ? `\`${text}\`` : (schema.unset ?? 'none')
}

if (import.meta.main) await Bun.write(readmePath, withEnvTable(await Bun.file(readmePath).text()))
