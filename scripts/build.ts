import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type AssetFolder, openAssetFolder } from '#scripts/asset-folder'
import { buildAnalytics, buildIslands, buildLoader, buildSignup, buildWorker } from '#scripts/build-islands'
import { buildStyles } from '#scripts/build-styles'
import { bundleServer, serverProgram } from '#scripts/bundle-server'
import { makeSbom } from '#scripts/sbom'
import type { Manifest } from '#src/ui/manifest'

const root = join(import.meta.dir, '..')

/**
 * Builds everything that browsers load (stylesheets, fonts, islands, the loader, icons) into `out`/assets, each file
 * with its hash in the name and .br and .gz siblings, and writes `out`/manifest.json. A running server never sees a
 * partial build: everything is created in a separate folder and renamed at the end.
 */
export async function build({ out = join(root, '.build'), minify = true } = {}): Promise<Manifest> {
  const next = join(out, `.next-${process.pid}`)
  await rm(join(out, sourcesFile), { force: true })
  await rm(next, { recursive: true, force: true })
  await mkdir(join(next, 'assets'), { recursive: true })

  const assets = openAssetFolder(join(next, 'assets'), join(out, 'assets'))
  const target = { root, assets, minify }
  const [styles, islands, analytics, signup, worker, files] = await Promise.all([
    buildStyles(target),
    buildIslands(target),
    buildAnalytics(target),
    buildSignup(target),
    buildWorker(target),
    copyPublicFiles(assets),
  ])
  const loader = await buildLoader(target, islands, { analyticsFile: analytics, signupFile: signup })
  await assets.compressed()

  const manifest: Manifest = {
    build: assets.hash(),
    styles: styles.member,
    consoleStyles: styles.console,
    loader,
    analytics,
    worker,
    islands: islands.entries,
    islandCodes: islands.codes,
    offline: islands.offline,
    preload: { fonts: styles.preloadFonts, icons: styles.icons, chunks: islands.chunks },
    files,
  }
  await Bun.write(join(next, 'manifest.json'), JSON.stringify(manifest, null, 2))
  await Bun.write(join(next, 'sbom.cdx.json'), JSON.stringify(await makeSbom(), null, 2))
  await swapIn(out, next)
  return manifest
}

/** Copies the files of public/, and those of the page with the API documentation. */
async function copyPublicFiles(assets: AssetFolder): Promise<Record<string, string>> {
  const folders = {
    public: await readdir(join(root, 'public')),
    'node_modules/swagger-ui-dist': swaggerFiles,
  }
  const copied: Record<string, string> = {}
  for (const [folder, names] of Object.entries(folders)) {
    for (const name of names.toSorted())
      copied[name] = await assets.add(name, await Bun.file(join(root, folder, name)).bytes())
  }
  return copied
}

const swaggerFiles = ['swagger-ui-bundle.js', 'swagger-ui.css']

/** Moves the new build into place. The manifest is last, so that it names only files that are already there. */
async function swapIn(out: string, next: string): Promise<void> {
  const old = join(out, `.old-${process.pid}`)
  await rm(old, { recursive: true, force: true })
  await rename(join(out, 'assets'), old).catch(ignoreMissing)
  await rename(join(next, 'assets'), join(out, 'assets'))
  await rename(join(next, 'manifest.json'), join(out, 'manifest.json'))
  await Promise.all([old, next].map((folder) => rm(folder, { recursive: true, force: true })))
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

/** Contains the hash of the sources of the last build. A build removes it first and writes it last. */
const sourcesFile = 'sources'
const sources = ['{cli,db,islands,patches,public,scripts,src}/**/*', '{bun.lock,package.json,uno.config.ts}']

/** Builds if necessary, for tests that start the program. A run of all tests has built before them. */
export async function ensureBuilt(): Promise<void> {
  if (process.env.TEST_RUN_PID === undefined) await buildIfChanged()
}

/**
 * Builds everything that browsers load and bundles the program, unless nothing has changed since the last build.
 * Returns a sentence about what it did.
 */
async function buildIfChanged(): Promise<string> {
  const startedAt = performance.now()
  const hash = await hashOfSources()
  const made = Bun.file(join(root, '.build', sourcesFile))
  const isThere = [serverProgram, '.build/manifest.json'].every((each) => existsSync(join(root, each)))
  const isMade = isThere && (await made.exists()) && (await made.text()) === hash
  if (isMade) return 'Built already: nothing has changed.'
  const [manifest] = await Promise.all([build(), bundleServer()])
  await Bun.write(made, hash)
  const islandCount = Object.keys(manifest.islands).length
  return `Built ${manifest.build}: ${islandCount} islands in ${Math.round(performance.now() - startedAt)} ms`
}

async function hashOfSources(): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256').update(Bun.version)
  for (const pattern of sources) {
    const paths = (await Array.fromAsync(new Bun.Glob(pattern).scan({ cwd: root }))).sort()
    for (const path of paths) hash.update(path).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}

if (import.meta.main) {
  // Bun names modules by their paths from here.
  process.chdir(root)
  console.log(await buildIfChanged())
}
