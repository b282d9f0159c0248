import { mkdtempSync, rmSync } from 'node:fs'
import { open, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type SmallDisk = {
  folder: string
  /** Writes a file until so many bytes are left; 0 fills the disk to the last byte. */
  fill(bytesLeft: number): Promise<void>
  makeRoom(): void
  /** Makes the disk read-only, as the kernel does after a failure. */
  writeProtect(): void
  takeWrites(): void
  remove(): void
}

/** Mounts a disk of so many megabytes in memory; returns null, with a warning, if this process may not mount. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'nocturne-disk-'))
  const filler = join(folder, 'filler')
  const mounting = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  if (mounting.exitCode !== 0) {
    process.stderr.write(
      'NOT TRIED: a disk that is full. Mounting a small one needs root; a limit on the size of files stands in.\n',
    )
    rmSync(folder, { recursive: true })
    return null
  }
  const remount = (how: 'ro' | 'rw') => {
    const { exitCode, stderr } = Bun.spawnSync(['mount', '-o', `remount,${how}`, folder])
    if (exitCode !== 0) throw new Error(stderr.toString())
  }
  return {
    folder,
    fill: (bytesLeft) => fillWith(filler, megabytes * 1024 * 1024, folder, bytesLeft),
    makeRoom: () => rmSync(filler),
    writeProtect: () => remount('ro'),
    takeWrites: () => remount('rw'),
    remove() {
      Bun.spawnSync(['umount', '-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function fillWith(path: string, size: number, folder: string, bytesLeft: number): Promise<void> {
  const file = await open(path, 'a')
  const block = Buffer.alloc(256 * 1024)
  try {
    for (let written = 0; written <= size; written += block.byteLength) {
      const { bavail, bsize } = await statfs(folder)
      if (bytesLeft > 0 && bavail * bsize <= bytesLeft) return
      await file.write(block)
    }
  } catch {
    // The disk is full, as intended.
  } finally {
    await file.close()
  }
}
