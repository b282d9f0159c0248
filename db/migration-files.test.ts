import { describe, expect, test } from 'bun:test'
import { listMigrations, type Migration } from './migration-files'

/**
 * Statements under which an older program that is still running fails, or waits for as long as a large table is read.
 * Each has an alternative with the same result. `[^;]` keeps a pattern within one statement.
 */
const dangers: Readonly<Record<string, { pattern: RegExp; way: string }>> = {
  'an index that stops writes': {
    pattern: /\bcreate (?:unique )?index (?!concurrently)[^;]*? on (?:only )?"?(?<table>\w+)/i,
    way: 'create it concurrently, in a migration outside a transaction',
  },
  'a generated column': {
    pattern: /\balter table "?(?<table>\w+)"?[^;]*\badd column\b[^;]*\bgenerated always as \(/i,
    way: 'add a plain one, with triggers, and fill it in batches',
  },
  'a default that differs from row to row': {
    pattern:
      /\balter table "?(?<table>\w+)"?[^;]*\badd column\b[^;]*(?:\bdefault (?:gen_random_uuid|uuidv?\d*|random|clock_timestamp|nextval)\b|\b(?:big)?serial\b|\bas identity\b)/i,
    way: 'add it without a default, and fill it in batches',
  },
  'another type': {
    pattern: /\balter table "?(?<table>\w+)"?[^;]*\balter column [^;]*\btype\b/i,
    way: 'add a column, fill it in batches, and drop the old one a release later',
  },
  'a column that has to have a value': {
    pattern: /\balter table "?(?<table>\w+)"?[^;]*\bset not null\b/i,
    way: 'validate a check first, as 0030 does',
  },
  'a constraint that reads every row': {
    pattern:
      /\balter table "?(?<table>\w+)"?[^;]*\badd constraint\b(?![^;]*(?:\bnot valid\b|\busing index\b))/i,
    way: 'add it not valid and validate it next, or use an index made concurrently',
  },
  'rows changed all at once': {
    pattern: /(?:^|;|-breakpoint)\s*(?:update|delete from) "?(?<table>\w+)/i,
    way: 'change them in batches: `-- until no row is left`',
  },
  'what an older program still reads': {
    pattern:
      /\b(?:alter table "?(?<table>\w+)"?[^;]*\b(?:drop column|rename (?:column|to))|drop table (?:if exists )?"?(?<dropped>\w+))/i,
    way: 'drop it in a release after the one that no longer reads it',
  },
  'a table locked or written anew': {
    pattern: /\b(?:lock table|vacuum full|cluster|reindex(?! [^;]*concurrently)|truncate) "?(?<table>\w+)/i,
    way: 'there is no way that stops nobody',
  },
}

/**
 * Returns what a migration would do to a table that older programs use. Functions and `-- allowed: reason` are skipped.
 */
function listDangers({ statements }: Migration): string[] {
  const all = statements.join('\n')
  return statements.flatMap((statement) => {
    const bare = statement.replace(/\$\$.*?\$\$/gs, '').replace(/^\s*--.*$/gm, '')
    if (/^-- allowed: \S/m.test(statement) || /^-- until no row is left$/m.test(statement)) return []
    return Object.entries(dangers).flatMap(([danger, { pattern, way }]) => {
      const found = pattern.exec(bare.trim())?.groups
      const table = found?.table ?? found?.dropped
      if (table === undefined || new RegExp(`create table (?:if not exists )?"?${table}"?\\b`, 'i').test(all))
        return []
      return [`${danger}, of ${table}: ${way}`]
    })
  })
}

/** Earlier migrations already were in commit 43253f5. Nobody has run them beside an older program. */
const sinceOthersHaveIt = listMigrations().filter(({ name }) => name >= '0010')

test.each(sinceOthersHaveIt.map((migration) => [migration.name, migration] as const))(
  '%s does not break an older version that is still running',
  (_, migration) => {
    expect(listDangers(migration)).toEqual([])
  },
)

describe('migration check', () => {
  const dangersOf = (...statements: string[]) =>
    listDangers({ name: '', madeAtMs: 0, hash: '', isOutsideTransaction: false, statements })

  test.each([
    ['CREATE INDEX "a" ON "stories" USING btree ("id")', 'an index that stops writes'],
    ['CREATE UNIQUE INDEX a ON stories (id)', 'an index that stops writes'],
    [
      'ALTER TABLE "stories" ADD COLUMN "a" text GENERATED ALWAYS AS (left(b, 4)) STORED',
      'a generated column',
    ],
    ['ALTER TABLE "stories" ADD COLUMN "a" uuid DEFAULT gen_random_uuid()', 'a default that differs'],
    ['ALTER TABLE "stories" ADD COLUMN "a" bigserial', 'a default that differs'],
    ['ALTER TABLE "stories" ALTER COLUMN "a" SET DATA TYPE bigint', 'another type'],
    ['ALTER TABLE "stories" ALTER COLUMN "a" SET NOT NULL', 'a column that has to have a value'],
    ['ALTER TABLE "a" ADD CONSTRAINT "b" UNIQUE("c")', 'a constraint that reads every row'],
    ['-- all\nUPDATE "stories" SET a = 1', 'rows changed all at once'],
    ['ALTER TABLE "stories" DROP COLUMN "a"', 'what an older program still reads'],
    ['ALTER TABLE "stories" RENAME COLUMN "a" TO "b"', 'what an older program still reads'],
    ['DROP TABLE "votes"', 'what an older program still reads'],
    ['LOCK TABLE "votes"', 'a table locked or written anew'],
  ])('rejects %j', (statement, danger) => {
    expect(dangersOf(statement)).toEqual([expect.stringContaining(danger)])
  })

  test.each([
    ['ALTER TABLE "stories" ADD COLUMN "a" text[] DEFAULT \'{}\' NOT NULL'],
    ['ALTER TABLE "stories" ADD CONSTRAINT "b" CHECK (true) NOT VALID'],
    ['CREATE INDEX CONCURRENTLY IF NOT EXISTS "a" ON "stories" USING btree ("id")'],
    ['CREATE FUNCTION a() RETURNS trigger AS $$ UPDATE stories SET a = 1; $$'],
    ['-- allowed: there are three rows\nUPDATE "flags" SET a = 1'],
  ])('accepts %j', (statement) => {
    expect(dangersOf(statement)).toEqual([])
  })

  test('accepts any statement on a table that the migration itself creates', () => {
    expect(dangersOf('CREATE TABLE "a" ("b" text)', 'CREATE INDEX "c" ON "a" ("b")')).toEqual([])
  })
})

test('index statements outside a transaction can be run again', () => {
  for (const { statements } of listMigrations().filter((each) => each.isOutsideTransaction)) {
    for (const statement of statements.filter((each) => /\bindex\b/i.test(each)))
      expect(statement).toMatch(/concurrently if (not )?exists/i)
  }
})
