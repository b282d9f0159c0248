/**
 * Static placeholders of content that is loading (the look has no shimmer). `label` is for screen readers. Whoever
 * inserts the placeholders has to announce it: a live region that is inserted together with its text is not announced.
 */
export function CardSkeletons({ count = 6, label = 'Loading' }: { count?: number; label?: string }) {
  return (
    <div className="card-grid" aria-busy="true">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all are alike
        <div key={index} className="card" aria-hidden="true">
          <div className="skeleton sk-cover" />
          <div className="card-body">
            <Lines />
          </div>
        </div>
      ))}
    </div>
  )
}

export function StoryCardSkeletons({
  count = 4,
  label = 'Loading stories...',
}: {
  count?: number
  label?: string
}) {
  return (
    <div className="story-list" aria-busy="true">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all are alike
        <div key={index} className="story-card" aria-hidden="true">
          <span className="cover cover-book skeleton" />
          <div className="story-card-words">
            <Lines />
          </div>
        </div>
      ))}
    </div>
  )
}

function Lines() {
  return (
    <>
      <div className="skeleton sk-title" />
      <div className="skeleton sk-line sk-short" />
      <div className="skeleton sk-line" />
      <div className="skeleton sk-line" />
    </>
  )
}
