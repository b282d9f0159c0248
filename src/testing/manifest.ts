import type { Manifest } from '#src/ui/manifest'

/** Pages name these assets, but tests of the server never fetch them. */
export const testManifest: Manifest = {
  build: 'test',
  styles: 'styles.css',
  consoleStyles: 'console.css',
  loader: 'loader.js',
  analytics: 'visits.js',
  worker: 'worker.js',
  offline: [],
  islands: {},
  islandCodes: {},
  preload: { fonts: [], icons: 'icons.svg', chunks: {} },
  files: {},
}
