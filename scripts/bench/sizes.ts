import { join } from 'node:path'
import type { Manifest } from '#src/ui/manifest'
import { figure, heading } from './report'

const folder = join(import.meta.dir, '../../.build')

/** Measures the Brotli sizes of the files that a browser loads on `/`, before and with the first press. */
export async function benchSizes(): Promise<void> {
  heading('Sizes on / (brotli)')
  const manifest: Manifest = await Bun.file(join(folder, 'manifest.json')).json()
  const entries = ['card-controls', 'sample-button']
  const beforePress = [manifest.loader, manifest.analytics]
  const files = new Set([
    ...beforePress,
    ...entries.flatMap((name) => [manifest.islands[name] ?? '', ...(manifest.preload.chunks[name] ?? [])]),
  ])
  figure('scripts before a press', kilobytes(await sizesOf(beforePress)), 'KB', { atMost: 12 })
  figure('scripts in all', kilobytes(await sizesOf([...files])), 'KB', { atMost: 70 })
  figure('styles', kilobytes(await sizesOf([manifest.styles])), 'KB', { atMost: 15 })
}

async function sizesOf(names: readonly string[]): Promise<number> {
  let bytes = 0
  for (const name of names) bytes += Bun.file(join(folder, 'assets', `${name}.br`)).size
  return bytes
}

const kilobytes = (bytes: number) => bytes / 1024
