/** Entries of a folder are read in pieces of some hundred; more files than an import takes are not read at all. */
const filesMax = 1_000

/**
 * The files of a drop, those of dropped folders too, however deep. Call it within the event: what was dropped is gone
 * after it.
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
