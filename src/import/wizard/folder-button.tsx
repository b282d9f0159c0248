import { useRef } from 'react'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'

/** React's types lack this attribute. */
const ofFolder = { webkitdirectory: 'true' }

/** Button that chooses a folder with a sheet and its audio. */
export function FolderButton({
  isDisabled,
  onFiles,
}: {
  isDisabled: boolean
  onFiles: (files: File[]) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const choose = () => {
    const files = [...(input.current?.files ?? [])]
    // Allows the same folder to be chosen again after it was fixed.
    if (input.current) input.current.value = ''
    onFiles(files)
  }
  return (
    <div className="btn-row">
      <input ref={input} type="file" hidden onChange={choose} aria-label="A folder" {...ofFolder} />
      <Button kind="ghost" size="sm" disabled={isDisabled} onClick={() => input.current?.click()}>
        <Icon name="i-lucide-sm-folder-open" />
        Choose a folder
      </Button>
      <span className="meta">or drop one above: its sheet and audio are used.</span>
    </div>
  )
}
