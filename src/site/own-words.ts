import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { keepResults } from '#src/kept'
import { renderMarkdown } from './markdown'

/** The pages whose words an operator may replace with a file: DATA_DIR/pages/privacy.md and so on. */
export const ownPages = ['privacy', 'terms', 'help'] as const
export type OwnPage = (typeof ownPages)[number]

export type OwnWords = { title: string | null; html: string }
/** What became of a file: none there, words, or why it cannot be shown. */
export type OwnFile = { state: 'none' } | ({ state: 'own' } & OwnWords) | { state: 'broken'; problem: string }

/** A page of words is a few kilobytes; a hundred times that is something else. */
const bytesMax = 512 * 1024

const kept = keepResults<Promise<OwnFile>>(ownPages.length * 2)

/** The words of a file as they are now: read again when it has changed. Never throws. */
export async function readOwnPage(dataDir: string, page: OwnPage): Promise<OwnFile> {
  const path = pathOf(dataDir, page)
  try {
    const { mtimeMs, size, ino } = await stat(path)
    return await kept(`${path}\n${mtimeMs}\n${size}\n${ino}`, () => readPage(path, size))
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? { state: 'none' } : { state: 'broken', problem: problemOf(error) }
  }
}

export function pathOf(dataDir: string, page: OwnPage): string {
  return join(dataDir, 'pages', `${page}.md`)
}

async function readPage(path: string, bytes: number): Promise<OwnFile> {
  if (bytes > bytesMax)
    return {
      state: 'broken',
      problem: `It has ${Math.ceil(bytes / 1024)} KB; ${bytesMax / 1024} KB is the most.`,
    }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
    if (text.includes('\0')) return { state: 'broken', problem: 'It is not a text.' }
    if (text.trim() === '') return { state: 'broken', problem: 'It is empty.' }
    return { state: 'own', ...renderMarkdown(text) }
  } catch (error) {
    return { state: 'broken', problem: problemOf(error) }
  }
}

function problemOf(error: unknown): string {
  if (error instanceof TypeError) return 'It is not UTF-8.'
  const words: Record<string, string> = {
    EACCES: 'It may not be read by the user that runs Nocturne.',
    EISDIR: 'It is a folder.',
    ENOTDIR: 'DATA_DIR/pages is not a folder.',
    ELOOP: 'It is a link to itself.',
  }
  return words[codeOf(error)] ?? 'It cannot be read.'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
