/** The output of scripts/build.ts: file names under /assets/, each with the hash of its content in it. */
export type Manifest = {
  /** Changes with any file: a page of another build makes soft navigation load in full. */
  build: string
  styles: string
  /** Comes after `styles`, on operator screens only. */
  consoleStyles: string
  loader: string
  /** The analytics client, which the loader fetches. */
  analytics: string
  /** The service worker, without the list of this build's files. */
  worker: string
  /** The files of the islands that work without a network. */
  offline: string[]
  /** Island name → its entry file. */
  islands: Record<string, string>
  /** Island name → the codes by which the loader fetches it: see islands/runtime/import-island.ts. */
  islandCodes: Record<string, string>
  preload: {
    /** The two faces that every page starts with. */
    fonts: string[]
    /** The image that all icons of `styles` are parts of. */
    icons: string
    /** Island name → the shared chunks that it imports (React among them). */
    chunks: Record<string, string[]>
  }
  /** Name in public/ → hashed copy. */
  files: Record<string, string>
}
