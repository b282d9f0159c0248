import OpinionIsland from '#islands/vote/opinion'
import type { Item } from '#src/story/schema'
import { Island } from '#src/ui/island'
import type { Opinion } from './queries'

/** The section "What did you think?" on an item's page. */
export function ItemOpinion({
  item,
  opinion,
  isMember,
}: {
  item: Item
  opinion: Opinion
  isMember: boolean
}) {
  const { voteType, ...rating } = opinion
  return (
    <section className="side-block opinion" id="opinion" aria-labelledby="what-you-thought">
      <h2 id="what-you-thought">What did you think?</h2>
      <Island
        name="opinion"
        of={OpinionIsland}
        when="press"
        props={{
          itemId: item.id,
          title: item.title,
          isMember,
          votes: { voteType, upvotes: item.upvotes, downvotes: item.downvotes },
          ...rating,
        }}
      />
    </section>
  )
}
