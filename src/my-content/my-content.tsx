import RowPlay from '#islands/listening/row-play'
import { ChallengeCard } from '#src/challenge/challenge-card'
import type { UserChallenge } from '#src/challenge/schema'
import type { Services } from '#src/services'
import type { ItemType } from '#src/story/rules'
import { ButtonLink } from '#src/ui/button'
import { type Tab, Tabs } from '#src/ui/console/tabs'
import { Cover } from '#src/ui/cover'
import { EmptyState } from '#src/ui/empty-state'
import { CardPlace, rowsPage } from '#src/ui/fragments'
import { Icon } from '#src/ui/icon'
import { Island } from '#src/ui/island'
import type { Markup } from '#src/ui/markup'
import { MetaRow } from '#src/ui/meta-row'
import { More } from '#src/ui/more'
import { Section } from '#src/ui/section'
import { urls } from '#src/urls'
import type { UserContentItem } from '#src/user-story/schema'
import { drawMyContentCards } from './my-content-card'
import { MyContentFilterForm } from './my-content-filter'
import type { MyContentFilter, UserContentPage } from './page-queries'
import { userContentTrack } from './track-rules'

type MyContentProps = {
  saved: Pick<UserContentPage, 'counts' | 'hasMore'> & { isEmpty: boolean }
  filter: MyContentFilter
  challenges: readonly UserChallenge[]
  recent: readonly UserContentItem[]
}

/** The page's content: challenges first, then own and saved items. */
function MyContent({ saved, filter, challenges, recent }: MyContentProps) {
  const active = challenges.filter(({ isComplete }) => !isComplete)
  return (
    <>
      <Head isMember />
      {active.length > 0 && (
        <section aria-labelledby="active">
          <div className="section-head">
            <h2 className="title-md" id="active">
              Active Challenges
            </h2>
          </div>
          <div className="challenges">
            {active.map((each) => (
              <ChallengeCard key={each.id} mine={each} />
            ))}
          </div>
        </section>
      )}
      {recent.length > 0 && <RecentFlows items={recent} />}
      <section className="section" aria-label="Saved">
        <Island name="typed-search" props={{}} when="use">
          <MyContentFilterForm filter={filter} />
        </Island>
        <div data-found="">
          <Tabs label="Your content" tabs={tabsOf(saved, filter)} />
          {saved.isEmpty ? (
            <Nothing filter={filter} />
          ) : (
            <div className="item-list">
              <CardPlace />
            </div>
          )}
          {saved.hasMore && (
            <More href={urls.myContent({ ...filter, page: (filter.page ?? 1) + 1 })}>More</More>
          )}
        </div>
      </section>
    </>
  )
}

/** The page for a visitor. */
export function VisitorContent() {
  return (
    <>
      <Head isMember={false} />
      <EmptyState
        title="No saved content yet"
        words="Sign in and press the heart on a story or flow to see it here."
      >
        <div className="btn-row">
          <ButtonLink kind="primary" href={urls.signIn({ next: urls.myContent() })} data-auth="sign-in">
            Sign in
          </ButtonLink>
          <ButtonLink href={urls.explore()}>Explore Audios</ButtonLink>
        </div>
      </EmptyState>
    </>
  )
}

function Head({ isMember }: { isMember: boolean }) {
  return (
    <header className="page-head">
      <h1 className="title-lg">My Content</h1>
      <div className="btn-row">
        <ButtonLink kind="ghost" href={urls.challenges()}>
          Challenges
        </ButtonLink>
        {isMember && (
          <ButtonLink href={urls.createStories()}>
            <Icon name="i-lucide-sm-pen-line" />
            Create Stories
          </ButtonLink>
        )}
      </div>
    </header>
  )
}

function tabsOf({ counts }: Pick<UserContentPage, 'counts'>, { type, ...filter }: MyContentFilter): Tab[] {
  const query = { ...filter, page: undefined }
  const all = { label: `All Content (${counts.all})`, href: urls.myContent(query), isCurrent: !type }
  const of = (each: ItemType, name: string) => ({
    label: `${name} (${counts[each]})`,
    href: urls.myContent({ ...query, type: each }),
    isCurrent: type === each,
  })
  return [all, of('story', 'Stories'), of('flow', 'Flows')]
}

function Nothing({ filter: { q, type, length } }: { filter: MyContentFilter }) {
  const isFiltered = Boolean(q) || type !== undefined || length !== undefined
  if (isFiltered)
    return (
      <EmptyState title="Nothing found" words="Nothing of yours matches. Try other words, or all types.">
        <div className="btn-row">
          <ButtonLink href={urls.myContent()}>Show all</ButtonLink>
          {q && <ButtonLink href={urls.stories({ q })}>Search all stories</ButtonLink>}
        </div>
      </EmptyState>
    )
  return (
    <EmptyState
      title="No saved content yet"
      words="Press the heart on a story or flow, or write your own, to see it here."
    >
      <ButtonLink kind="primary" href={urls.explore()}>
        Explore Audios
      </ButtonLink>
    </EmptyState>
  )
}

function RecentFlows({ items }: { items: readonly UserContentItem[] }) {
  return (
    <Section id="recent" title="Recent Challenge Flows">
      <ul className="panel panel-flush row-list">
        {items.map((item) => (
          <li className="row row-padded" key={`${item.id}${item.challengeName}${item.challengeDay}`}>
            <Cover title={item.title} shape="56" />
            <div className="row-words">
              <h3 className="title-sm">
                <a href={urls.item(item)}>{item.title}</a>
              </h3>
              <MetaRow>
                {item.challengeName}
                {`Day ${item.challengeDay}`}
                {`${item.duration} min`}
              </MetaRow>
            </div>
            {item.audioUrl ? (
              <Island
                name="row-play"
                id={`play-${item.id}${item.challengeDay}`}
                when="press"
                of={RowPlay}
                props={{ track: userContentTrack(item) }}
              />
            ) : (
              <span />
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

const drawPage = rowsPage(MyContent)

/**
 * Renders the page My Content. Except for a member's challenges, the markup around its cards is the same for all
 * members with as many items, and is cached.
 */
export async function drawMyContent(
  services: Pick<Services, 'db' | 'assets'>,
  { saved: { items, counts, hasMore }, ...props }: Omit<MyContentProps, 'saved'> & { saved: UserContentPage },
): Promise<Markup> {
  const saved = { counts, hasMore, isEmpty: items.length === 0 }
  return drawPage(services.assets.manifest.islandCodes, {
    props: { ...props, saved },
    cards: await drawMyContentCards(services, items),
    isPrivate: props.challenges.length > 0,
  })
}
