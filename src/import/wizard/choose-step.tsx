import { useState } from 'react'
import type { ImportDraft } from '#src/import/draft/schema'
import { files, listWords, rows } from '#src/import/wizard/draft-words'
import { DropZone } from '#src/import/wizard/drop-zone'
import { FolderButton } from '#src/import/wizard/folder-button'
import { joinFacts } from '#src/text/join-facts'
import { Notice } from '#src/ui/notice'
import { sizeWords } from '#src/ui/size-words'

const sheetTypes = '.xlsx,.xls,.csv,.json'
const audioTypes = '.mp3,.wav,.m4a,.vtt,.srt'

/** The two boxes: one sheet, many MP3s. Either accepts both kinds, dropped together or in a folder. */
export function ChooseFiles({
  draft,
  chosen,
  isDisabled,
  onChoose,
}: {
  draft: ImportDraft | null
  chosen: readonly File[]
  isDisabled: boolean
  onChoose: (sheet: File | undefined, audio: File[]) => void
}) {
  const [leftOut, setLeftOut] = useState<readonly string[]>([])
  const choose = (dropped: readonly File[]) => {
    const seen = dropped.filter(({ name }) => !name.startsWith('.'))
    const sheet = seen.find(({ name }) => isSheet(name))
    const audio = seen.filter((file) => file !== sheet && !isOther(file))
    setLeftOut(seen.filter((file) => file !== sheet && isOther(file)).map(({ name }) => name))
    if (sheet || audio.length > 0) onChoose(sheet, audio)
  }
  return (
    <>
      <div className="split">
        <DropZone
          icon="i-lucide-file-spreadsheet"
          label="Excel or CSV file"
          accept={sheetTypes}
          isDisabled={isDisabled}
          onFiles={choose}
        >
          <b>{draft?.fileName ?? 'Excel or CSV file'}</b>
          <p className="meta">
            {draft?.fileName ? (
              <>
                {rows(draft.rowCount)}. <span className="link">Replace</span>
              </>
            ) : (
              <>.xlsx, .xls, .csv or .json. Drop it here, or choose it.</>
            )}
          </p>
        </DropZone>
        <DropZone
          icon="i-lucide-file-headphone"
          label="MP3 files"
          accept={audioTypes}
          isMultiple
          isDisabled={isDisabled}
          onFiles={choose}
        >
          <AudioWords sent={draft?.files ?? []} chosen={chosen} />
        </DropZone>
      </div>
      <FolderButton isDisabled={isDisabled} onFiles={choose} />
      {leftOut.length > 0 && (
        <Notice kind="warn">
          Left out of the folder: {listWords(leftOut)}. Only one sheet and its audio are used.
        </Notice>
      )}
    </>
  )
}

function AudioWords({ sent, chosen }: { sent: ImportDraft['files']; chosen: readonly File[] }) {
  const names = new Set(chosen.map(({ name }) => name))
  const here = sent.filter(({ state, fileName }) => state === 'here' && !names.has(fileName))
  const bytes = [...here.map(({ sizeBytes }) => sizeBytes), ...chosen.map(({ size }) => size)].reduce(
    (sum, each) => sum + each,
    0,
  )
  if (here.length + chosen.length === 0)
    return (
      <>
        <b>MP3 files</b>
        <p className="meta">
          Named like the rows, with or without the voice: the-gift.mp3, The Gift_male.mp3. Drop them here, or
          choose them.
        </p>
      </>
    )
  return (
    <>
      <b>{files(here.length + chosen.length)}</b>
      <p className="meta">
        {joinFacts(
          sizeWords(bytes),
          here.length > 0 && `${here.length} sent`,
          chosen.length > 0 && `${chosen.length} to be sent`,
        )}
        . <span className="link">Add more</span>
      </p>
    </>
  )
}

/**
 * Whether to skip a file of a chosen folder, because no import uses its type. A single file of such a type is not
 * skipped: the plan names it as a problem.
 */
function isOther({ name, webkitRelativePath }: File): boolean {
  return webkitRelativePath !== '' && !audioTypes.split(',').some((type) => name.toLowerCase().endsWith(type))
}

function isSheet(name: string): boolean {
  return /\.(xlsx|xls|csv|json|ods)$/i.test(name)
}
