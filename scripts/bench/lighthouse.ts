import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Fetched when the bench runs, because it takes 176 MB installed, which no clone needs. The version is exact, because
 * the figures change with it.
 */
const lighthouse = 'lighthouse@13.5.0'

/** Lighthouse's figures of one load on its simulated phone: slow 4G, a processor four times slower. */
export type PageFigures = {
  /** 0–100. */
  performance: number
  blockingMs: number
  largestPaintMs: number
  firstPaintMs: number
  layoutShift: number
  scriptKilobytes: number
  htmlKilobytes: number
}

type Audited = {
  categories: { performance: { score: number } }
  audits: Record<
    string,
    {
      numericValue: number
      details: { items: { resourceType: string; transferSize: number }[] }
    }
  >
}

/** Returns the reason why Lighthouse cannot run here, or null. */
export async function findObstacle(): Promise<string | null> {
  const output = await runLighthouse(['--version'])
  return output.code === 0 ? null : `${lighthouse} could not be fetched from the registry: ${output.error}`
}

/** Returns the median of several loads in the Chromium that listens on `port`, each with an empty cache. */
export async function auditPage(
  url: string,
  { port, cookie, runs = 3 }: { port: number; cookie?: string; runs?: number },
): Promise<PageFigures> {
  const loads: PageFigures[] = []
  for (let run = 0; run < runs; run += 1) loads.push(toFigures(await audit(url, port, cookie)))
  return medians(loads)
}

async function audit(url: string, port: number, cookie: string | undefined): Promise<Audited> {
  const folder = mkdtempSync(join(tmpdir(), 'nocturne-lighthouse-'))
  const report = join(folder, 'report.json')
  const output = await runAgain(3, [
    url,
    `--port=${port}`,
    '--only-categories=performance',
    '--disable-full-page-screenshot',
    '--output=json',
    `--output-path=${report}`,
    '--quiet',
    '--no-enable-error-reporting',
    ...(cookie ? [`--extra-headers=${JSON.stringify({ cookie })}`] : []),
  ])
  if (output.code !== 0) throw new Error(`Lighthouse could not load ${url}: ${output.error}`)
  const audited: Audited = await Bun.file(report).json()
  rmSync(folder, { recursive: true })
  return audited
}

/**
 * Runs Lighthouse again if it fails: on a busy machine a trace sometimes starts after the load, and Lighthouse then
 * asks to be run again.
 */
async function runAgain(runsMax: number, options: string[]): ReturnType<typeof runLighthouse> {
  const output = await runLighthouse(options)
  return output.code !== 0 && runsMax > 1 ? runAgain(runsMax - 1, options) : output
}

async function runLighthouse(options: string[]): Promise<{ code: number; error: string }> {
  const child = Bun.spawn([process.execPath, 'x', '--bun', lighthouse, ...options], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const error = await new Response(child.stderr).text()
  return { code: await child.exited, error: error.trim().slice(-400) }
}

function toFigures({ categories, audits }: Audited): PageFigures {
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN
  const kilobytes = (type: string) => {
    const requests = audits['network-requests']?.details.items ?? []
    const ofType = requests.filter(({ resourceType }) => resourceType === type)
    return ofType.reduce((bytes, { transferSize }) => bytes + transferSize, 0) / 1024
  }
  return {
    performance: categories.performance.score * 100,
    blockingMs: value('total-blocking-time'),
    largestPaintMs: value('largest-contentful-paint'),
    firstPaintMs: value('first-contentful-paint'),
    layoutShift: value('cumulative-layout-shift'),
    scriptKilobytes: kilobytes('Script'),
    htmlKilobytes: kilobytes('Document'),
  }
}

function medians(loads: readonly PageFigures[]): PageFigures {
  const median = (name: keyof PageFigures) =>
    loads.map((load) => load[name]).toSorted((a, b) => a - b)[Math.floor(loads.length / 2)] ?? Number.NaN
  return {
    performance: median('performance'),
    blockingMs: median('blockingMs'),
    largestPaintMs: median('largestPaintMs'),
    firstPaintMs: median('firstPaintMs'),
    layoutShift: median('layoutShift'),
    scriptKilobytes: median('scriptKilobytes'),
    htmlKilobytes: median('htmlKilobytes'),
  }
}
