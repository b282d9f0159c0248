/**
 * A folder's entries arrive in batches of some hundred. Reading stops at this many files, which is more than an import
 * accepts.
 */
const filesMax = 1_000

/**
 * Returns the dropped files, including those in dropped folders at any depth. Call it within the event: the browser
 * clears the dropped data afterwards.
 */
export async function readDropped(transfer: DataTransfer): Promise<File[]> {
  const plain = [...transfer.files]
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry())
  if (!entries.some((entry) => entry?.isDirectory)) return plain
  const files: File[] = []
  for (const entry of entries) if (entry) await collect(entry, files)
  return files
}

async function collect(entry: FileSystemEntry, files: File[]): Promise<void> {
  if (files.length >= filesMax) return
  if (isFile(entry)) files.push(await new Promise<File>((take, fail) => entry.file(take, fail)))
  if (!isFolder(entry)) return
  const reader = entry.createReader()
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((take, fail) => reader.readEntries(take, fail))
    if (some.length === 0) return
    for (const each of some) await collect(each, files)
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
