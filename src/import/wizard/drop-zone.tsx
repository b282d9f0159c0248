import { type DragEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { readDropped } from '#islands/import/dropped-files'
import { Icon, type IconName } from '#src/ui/icon'

/** A file input as large as its box. Files are chosen with mouse and keyboard, or dropped on it. */
export function DropZone({
  icon,
  label,
  accept,
  isMultiple,
  isDisabled,
  onFiles,
  children,
}: {
  icon: IconName
  label: string
  accept: string
  isMultiple?: boolean
  isDisabled: boolean
  onFiles: (files: File[]) => void
  children: ReactNode
}) {
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const choose = () => {
    const files = [...(input.current?.files ?? [])]
    // Allows the same file to be chosen again after it was fixed.
    if (input.current) input.current.value = ''
    if (files.length > 0) onFiles(files)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was chosen while the island slept
  useLayoutEffect(choose, [])
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!isDisabled) void readDropped(event.dataTransfer).then(onFiles)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the input inside is the first
    <div
      className={isOver ? 'dropzone dropzone-field is-over' : 'dropzone dropzone-field'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <Icon name={icon} />
      <div>{children}</div>
      <input
        ref={input}
        type="file"
        aria-label={label}
        title=""
        accept={accept}
        multiple={isMultiple}
        disabled={isDisabled}
        onChange={choose}
      />
    </div>
  )
}
