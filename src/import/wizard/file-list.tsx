import type { DraftFile } from '#src/import/draft/schema'
import { pluralize } from '#src/text/pluralize'
import { Badge, type BadgeKind } from '#src/ui/badge'
import { Icon } from '#src/ui/icon'
import { sizeWords } from '#src/ui/size-words'

export type ListedFile = Pick<DraftFile, 'fileName' | 'sizeBytes' | 'problem'> & {
  warnings?: DraftFile['warnings']
  /** `chosen` files are only in this browser yet. */
  state: DraftFile['state'] | 'chosen'
}

const badges: Record<ListedFile['state'], { kind: BadgeKind; label: string }> = {
  chosen: { kind: 'line', label: 'To be sent' },
  waiting: { kind: 'warn', label: 'Not sent' },
  here: { kind: 'good', label: 'Here' },
  refused: { kind: 'bad', label: 'Refused' },
}

/** The files that accompany the sheet, collapsed. Unusable ones come first, each with its fix. */
export function FileList({
  files,
  isDisabled,
  onRemove,
}: {
  files: readonly ListedFile[]
  isDisabled: boolean
  onRemove: (fileName: string) => void
}) {
  if (files.length === 0) return null
  const bad = files.filter(({ problem }) => problem)
  return (
    <details className="file-fold" open={bad.length > 0 || undefined}>
      <summary className="meta">
        {bad.length > 0 ? `${bad.length} of ${files.length} cannot be used` : pluralize(files.length, 'file')}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <ul className="file-list" aria-label="Files" tabIndex={0}>
        {[...bad, ...files.filter(({ problem }) => !problem)].map(
          ({ fileName, sizeBytes, state, problem, warnings = [] }) => (
            <li key={fileName}>
              <span>
                <b>{fileName}</b> <span className="meta num">{sizeWords(sizeBytes)}</span>
              </span>
              <Badge kind={badges[state].kind}>{badges[state].label}</Badge>
              <button
                className="icon-btn"
                type="button"
                aria-label={`Remove ${fileName}`}
                disabled={isDisabled}
                onClick={() => onRemove(fileName)}
              >
                <Icon name="i-lucide-sm-trash" />
              </button>
              {[problem ?? [], warnings].flat().map((message) => (
                <div className="fix" key={message}>
                  <p>
                    <Icon name="i-lucide-sm-triangle-alert" />
                    <span>{message}</span>
                  </p>
                </div>
              ))}
            </li>
          ),
        )}
      </ul>
    </details>
  )
}
