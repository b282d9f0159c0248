import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '#db/db'
import { stories } from '#db/schema'
import { chromiumArguments } from '#scripts/chromium-arguments'
import { findChromium } from '#scripts/find-chromium'
import { untilAnswering } from '#scripts/until-ready'
import { compress } from '#src/http/encoding'
import { attachAudio } from '#src/narration/attach'
import { toneMp3 } from '#src/narration/testing'
import { folderStorage } from '#src/storage/storage'
import { benchPresses } from './felt-presses'
import { benchScripts } from './felt-scripts'
import { auditPage, findObstacle, type PageFigures } from './lighthouse'
import { signUp } from './member'
import { heading, notMeasured, table } from './report'
import { freePort, type Served, serveScript, withServerAndDatabase } from './servers'

const pages = ['/', '/stories', '/trending', '/landing', '/story/the-night-ferry']
const toneSeconds = 90

/**
 * Measures how fast the pages feel: Lighthouse's figures for its simulated phone, beside a page of the same HTML
 * without styles and scripts, and the times from a press to the next paint.
 */
export async function benchFelt(): Promise<void> {
  heading('Felt: Lighthouse’s simulated phone, the demo library, medians of 3 loads')
  const program = await findChromium((line) => process.stderr.write(`${line}\n`))
  // Without a voice nothing is narrated in the background, which would take a core.
  const environment = { DEMO: 'on', VOICE_ORDER: 'openai' }
  await withServerAndDatabase(async (server, db) => {
    await narrateAll(server, db)
    const cookie = await signUp(server.url)
    const obstacle = await findObstacle()
    if (obstacle) notMeasured('Lighthouse', obstacle)
    else await withDebuggedChromium(program, (port) => auditPages(server, { port, cookie }))
    await benchScripts(program, { server, cookie, pages })
    await benchPresses(program, { server, db, cookie })
  }, environment)
}

/**
 * Starts a Chromium for Lighthouse alone. A driver that attaches to Lighthouse's page would make its trace start too
 * late.
 */
async function withDebuggedChromium(program: string, work: (port: number) => Promise<void>): Promise<void> {
  const port = freePort()
  const profile = mkdtempSync(join(tmpdir(), 'nocturne-felt-'))
  const own = ['--headless', `--remote-debugging-port=${port}`, `--user-data-dir=${profile}`, 'about:blank']
  const child = Bun.spawn([program, ...chromiumArguments, ...own], { stdout: 'ignore', stderr: 'ignore' })
  try {
    await untilAnswering(`http://127.0.0.1:${port}/json/version`)
    await work(port)
  } finally {
    child.kill()
    await child.exited
    rmSync(profile, { recursive: true, force: true })
  }
}

/** Stores one tone as the narration of every item, so that every card can be played. */
async function narrateAll({ dataDir }: Served, db: Database): Promise<void> {
  const bytes = await toneMp3(toneSeconds)
  const storage = folderStorage(join(dataDir, 'audio'))
  for (const { id } of await db.select({ id: stories.id }).from(stories)) {
    const staged = await storage.receive(new Blob([bytes]).stream())
    const file = await storage.commit(staged, 'mp3')
    await attachAudio(db, {
      storyId: id,
      voice: 'female',
      file: { ...file, sizeBytes: staged.sizeBytes, durationSeconds: toneSeconds },
      provider: 'upload',
    })
  }
}

async function auditPages(
  { url }: Served,
  { port, cookie }: { port: number; cookie: string },
): Promise<void> {
  const rows: [string, PageFigures][] = []
  for (const path of pages) {
    rows.push([path, await auditPage(url + path, { port })])
    rows.push([`${path}, signed in`, await auditPage(url + path, { port, cookie })])
    rows.push([`${path}, still`, await auditStill(url + path, port)])
  }
  table(
    [
      { name: 'performance', of: ({ performance }) => performance, goal: { atLeast: 98 } },
      { name: 'blocking ms', of: ({ blockingMs }) => blockingMs, goal: { atMost: 50 } },
      { name: 'largest ms', of: ({ largestPaintMs }) => largestPaintMs, goal: { atMost: 1_500 } },
      { name: 'first ms', of: ({ firstPaintMs }) => firstPaintMs },
      { name: 'shift', of: ({ layoutShift }) => layoutShift, goal: { atMost: 0 } },
      { name: 'script KB', of: ({ scriptKilobytes }) => scriptKilobytes },
      { name: 'HTML KB', of: ({ htmlKilobytes }) => htmlKilobytes, goal: { atMost: 14 } },
    ],
    rows,
  )
}

/** Measures the ceiling: the page's own HTML as bytes, without its styles, fonts and scripts. */
async function auditStill(url: string, port: number): Promise<PageFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'nocturne-felt-'))
  const body = join(folder, 'page.html.br')
  const html = await (await fetch(url)).text()
  await Bun.write(body, await compress(new TextEncoder().encode(withoutAssets(html)), 'br'))
  const still = await serveScript('bare-page.ts', { BODY: body, ENCODING: 'br' })
  const figures = await auditPage(still.url, { port })
  await still.stop()
  rmSync(folder, { recursive: true })
  return figures
}

function withoutAssets(html: string): string {
  return html.replace(/<link\b[^>]*>|<style>.*?<\/style>|<script\b[^>]*>.*?<\/script>/gs, '')
}
