import { join } from 'node:path'
import { memoize } from '#src/process/memoize'
import { type FileInside, findInside, NotInside, readInside } from '#src/security/inside-folder'

/** The pages whose text an operator can replace with a file: DATA_DIR/pages/privacy.md and so on. */
export const ownPages = ['privacy', 'terms', 'help'] as const
export type OwnPage = (typeof ownPages)[number]

type OwnWords = { title: string | null; html: string }
/** The result of reading a file: there is none, its text, or why it cannot be shown. */
export type OwnFile = { state: 'none' } | ({ state: 'own' } & OwnWords) | { state: 'broken'; problem: string }

/** Maximum size. A page of text is a few kilobytes; a file a hundred times as large is a mistake. */
const bytesMax = 512 * 1024

/** Files by their version, so that a changed file has another key. */
const readOnce = memoize<Promise<OwnFile>>(ownPages.length * 2)

/** Reads the present text of a file; a file is read again only after it has changed. Never throws. */
export async function readOwnPage(dataDir: string, page: OwnPage): Promise<OwnFile> {
  const path = pathOf(dataDir, page)
  try {
    const file = await findInside(folderOf(dataDir), fileNameOf(page))
    const { mtimeMs, size, ino } = file.stats
    return await readOnce(`${path}\n${mtimeMs}\n${size}\n${ino}`, () => readPage(file))
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? { state: 'none' } : { state: 'broken', problem: problemOf(error) }
  }
}

export function pathOf(dataDir: string, page: OwnPage): string {
  return join(folderOf(dataDir), fileNameOf(page))
}

const folderOf = (dataDir: string) => join(dataDir, 'pages')
const fileNameOf = (page: OwnPage) => `${page}.md`

async function readPage(file: FileInside): Promise<OwnFile> {
  const { size } = file.stats
  if (size > bytesMax)
    return {
      state: 'broken',
      problem: `It has ${Math.ceil(size / 1024)} KB; at most ${bytesMax / 1024} KB are allowed.`,
    }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readInside(file, bytesMax))
    if (text.includes('\0')) return { state: 'broken', problem: 'It is not a text.' }
    if (text.trim() === '') return { state: 'broken', problem: 'It is empty.' }
    const { renderMarkdown } = await import('./markdown')
    return { state: 'own', ...renderMarkdown(text) }
  } catch (error) {
    return { state: 'broken', problem: problemOf(error) }
  }
}

function problemOf(error: unknown): string {
  if (error instanceof NotInside) return error.message
  if (error instanceof TypeError) return 'It is not UTF-8.'
  const words: Record<string, string> = {
    EACCES: 'It may not be read by the user that runs Nocturne.',
    ENOTDIR: 'DATA_DIR/pages is not a folder.',
    ELOOP: 'It is a link to itself.',
  }
  return words[codeOf(error)] ?? 'It cannot be read.'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
