/** Output of scripts/build.ts: file names under /assets/, each with the hash of its content. */
export type Manifest = {
  /** Changes with any file. A page of another build makes soft navigation load in full. */
  build: string
  styles: string
  /** Loaded after `styles`, on operator screens only. */
  consoleStyles: string
  loader: string
  /** The analytics client, which the loader fetches. */
  analytics: string
  /** The service worker, without the list of this build's files. */
  worker: string
  /** The files of the islands that work offline. */
  offline: string[]
  /** Maps island names to their entry files. */
  islands: Record<string, string>
  /** Maps island names to the codes by which the loader fetches them: see islands/runtime/import-island.ts. */
  islandCodes: Record<string, string>
  preload: {
    /** The two font files that every page needs first. */
    fonts: string[]
    /** The image that contains all icons of `styles`. */
    icons: string
    /** Maps island names to the shared chunks that they import (React among them). */
    chunks: Record<string, string[]>
  }
  /** Maps names in public/ to hashed copies. */
  files: Record<string, string>
}
