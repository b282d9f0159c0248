import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { utils, write } from 'xlsx'
import { newId } from '#db/columns'
import { openDatabase } from '#db/db'
import { startEmbedded } from '#db/embedded/start'
import { migrate } from '#db/migrate'
import { stories } from '#db/schema'
import { watchPeak } from './memory'
import { figure, heading } from './report'
import { forget } from './servers'

const rowCount = 10_000
const words =
  'She lit the lamp and waited for the boat while the rain went over the roof and the tea grew cold beside two cups'.split(
    ' ',
  )

/**
 * Measures an import of 10,000 CSV rows of 200 words by the CLI, beside a bare multi-row INSERT of the same rows into
 * the same table.
 */
export async function benchImports(): Promise<void> {
  heading(`Import (${rowCount.toLocaleString('en')} rows of 200 words)`)
  const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-bench-'))
  const embedded = await startEmbedded({ dataDir })
  await migrate(embedded.url)
  const db = openDatabase(embedded.url, { max: 2 })
  try {
    const rows = Array.from({ length: rowCount }, (_, n) => ({
      title: `The Lamp ${n}`,
      description: `An evening with the number ${n}.`,
      content: textOf(n),
    }))
    const csv = join(dataDir, 'rows.csv')
    await Bun.write(
      csv,
      `Name,Voice,Categories,Short Description,Audio Length,Text\n${rows.map((row) => `"${row.title}",female,"romantic, man and woman","${row.description}",12,"${row.content}"`).join('\n')}\n`,
    )
    const xlsx = join(dataDir, 'rows.xlsx')
    const sheet = utils.aoa_to_sheet([
      ['Name', 'Voice', 'Categories', 'Short Description', 'Audio Length', 'Text'],
      ...rows.map((row) => [row.title, 'female', 'romantic', row.description, 12, row.content]),
    ])
    await Bun.write(
      xlsx,
      write(
        { Sheets: { rows: sheet }, SheetNames: ['rows'] },
        { type: 'buffer', bookType: 'xlsx', compression: true },
      ),
    )

    const bareMs: number[] = []
    const csvRuns: Run[] = []
    for (let round = 0; round < 3; round += 1) {
      await db.sql.unsafe('truncate stories, imports, import_changes, audit_log cascade')
      bareMs.push(await bareInsert(db, rows))
      await db.sql.unsafe('truncate stories, imports, import_changes, audit_log cascade')
      csvRuns.push(await runImport(csv, dataDir))
    }
    await db.sql.unsafe('truncate stories, imports, import_changes, audit_log cascade')
    const xlsxRun = await runImport(xlsx, dataDir)
    const ratios = csvRuns.map((run, at) => (bareMs[at] ?? 0) / run.ms).toSorted((a, b) => a - b)
    figure("CSV: share of the bare INSERT's speed (whole process)", ratios[1] ?? 0, '', { atLeast: 0.3 })
    figure('CSV', median(csvRuns.map((run) => run.ms)) / 1_000, 's')
    figure('bare INSERT', median(bareMs) / 1_000, 's')
    figure('CSV: peak memory', median(csvRuns.map((run) => run.peakBytes)) / 1024 / 1024, 'MB', {
      atMost: 300,
    })
    figure('.xlsx', xlsxRun.ms / 1_000, 's')
    figure('.xlsx: peak memory of the importer', xlsxRun.peakBytes / 1024 / 1024, 'MB')
  } finally {
    await db.close()
    await embedded.stop()
    forget(dataDir)
  }
}

function textOf(n: number): string {
  return Array.from({ length: 200 }, (_, at) => words[(n * 7 + at * 3) % words.length]).join(' ')
}

async function bareInsert(
  db: ReturnType<typeof openDatabase>,
  rows: readonly { title: string; description: string; content: string }[],
): Promise<number> {
  const values = rows.map((row, n) => ({
    id: newId(),
    slug: `row-${n}`,
    titleKey: row.title.toLowerCase(),
    source: 'pre_uploaded' as const,
    status: 'published' as const,
    wordCount: 200,
    categories: ['romantic', 'man and woman'],
    duration: 12,
    excerpt: row.content.slice(0, 150),
    ...row,
  }))
  const startedAt = performance.now()
  await db.transaction(async (tx) => {
    for (let from = 0; from < values.length; from += 2_000)
      await tx.insert(stories).values(values.slice(from, from + 2_000))
  })
  return performance.now() - startedAt
}

type Run = { ms: number; peakBytes: number }

async function runImport(path: string, dataDir: string): Promise<Run> {
  const startedAt = performance.now()
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, '../../cli/main.ts'), 'premium', 'import', path, '--json'],
    {
      env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', DATA_DIR: dataDir, DEMO: 'off' },
      stdout: 'ignore',
      stderr: 'ignore',
    },
  )
  const peak = watchPeak(child)
  if ((await child.exited) !== 0) throw new Error(`The import of ${path} failed.`)
  return { ms: performance.now() - startedAt, peakBytes: (await peak) ?? 0 }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
