import { type FormEvent, useRef, useState } from 'react'
import { DeleteChallenge } from '#islands/challenge/delete-challenge'
import { type Flow, FlowSearch } from '#islands/challenge/flow-search'
import { useUnsaved } from '#islands/navigation/use-unsaved'
import { visit } from '#islands/navigation/visit'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { useSubmit } from '#islands/runtime/use-submit'
import { lengthWords } from '#src/challenge/challenge-card'
import { daysMax } from '#src/challenge/rules'
import { type Challenge, challengeTextNames, challengeTexts } from '#src/challenge/schema'
import { consoleUrls } from '#src/console-urls'
import { recordOf } from '#src/shape/pick'
import { pluralize } from '#src/text/pluralize'
import { Badge } from '#src/ui/badge'
import { Button } from '#src/ui/button'
import { Cover } from '#src/ui/cover'
import { Field } from '#src/ui/field'
import { FormFields } from '#src/ui/form-fields'
import { IconButton } from '#src/ui/icon-button'
import { inputFor } from '#src/ui/limits'
import { TextArea } from '#src/ui/text-area'

type Day = Flow & { key: number }
type Props = { challenge: (Challenge & { members: number }) | null }

/**
 * The form of a challenge: its name and description, its flows in the order of the days, and whether it is published.
 */
export default function ChallengeEditor({ challenge }: Props) {
  const days = useDays(challenge?.days ?? [])
  const [savedDays, setSavedDays] = useState(days.list)
  const [isTyped, setTyped] = useState(false)
  useUnsaved(isTyped || days.list !== savedDays)
  const [isPublished, setPublished] = useState(challenge?.isPublished ?? false)
  const { isBusy, problem, submit } = useSubmit({
    title: 'Failed to save challenge',
    otherwise: 'Please try again',
  })
  const form = useRef<HTMLFormElement>(null)

  const save = (published: boolean) => {
    if (!form.current?.reportValidity()) return
    const fields = new FormData(form.current)
    void submit(async () => {
      const body = {
        ...recordOf(challengeTextNames, (name) => String(fields.get(name))),
        items: days.list.map(({ id }) => id),
        isPublished: published,
      }
      const saved = await (challenge
        ? operatorApi('PUT /api/challenges/:id', {
            path: { id: challenge.id },
            body,
            ifMatch: challenge.updatedAt,
          })
        : operatorApi('POST /api/challenges', { body }))
      setPublished(published)
      setSavedDays(days.list)
      setTyped(false)
      emit('nocturne:toast', {
        kind: 'good',
        title: published ? 'Challenge published' : 'Draft saved',
        description: saved.name,
      })
      await visit(consoleUrls.challengeEditor({ id: saved.id }))
    })
  }

  return (
    <div className="stack">
      <form
        className="panel stack"
        aria-label="Challenge"
        ref={form}
        onInput={() => setTyped(true)}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          save(isPublished)
        }}
      >
        <div className="btn-row">
          {isPublished ? <Badge kind="good">Published</Badge> : <Badge kind="line">Draft</Badge>}
          {challenge && challenge.members > 0 && (
            <span className="meta">
              {pluralize(challenge.members, 'member is', 'members are')} in it. Completed days stay completed.
            </span>
          )}
        </div>
        <FormFields problem={problem}>
          <Field {...inputFor('name', challengeTexts.name)} defaultValue={challenge?.name} />
          <TextArea
            {...inputFor('description', challengeTexts.description)}
            look="short"
            defaultValue={challenge?.description}
          />
        </FormFields>
        <div className="btn-row">
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {isBusy ? 'Saving...' : isPublished ? 'Save changes' : 'Save draft'}
          </Button>
          <Button isBusy={isBusy} disabled={days.list.length === 0} onClick={() => save(!isPublished)}>
            {isPublished ? 'Take back to draft' : 'Publish'}
          </Button>
        </div>
      </form>
      <div className="split split-main">
        <DayList days={days} />
        <FlowSearch isFull={days.list.length >= daysMax} onAdd={days.add} />
      </div>
      {challenge && (
        <div className="btn-row">
          <DeleteChallenge challenge={challenge} />
        </div>
      )}
    </div>
  )
}

/** The days in their order, with an announcement of the last change. */
function useDays(flows: readonly Flow[]) {
  const keys = useRef(0)
  const keyed = (flow: Flow): Day => {
    keys.current += 1
    return { id: flow.id, title: flow.title, duration: flow.duration, key: keys.current }
  }
  const [list, setList] = useState<readonly Day[]>(() => flows.map(keyed))
  const [announcement, setAnnouncement] = useState('')
  return {
    list,
    announcement,
    add(flow: Flow): void {
      setList([...list, keyed(flow)])
      setAnnouncement(`${flow.title} is day ${list.length + 1}.`)
    },
    move(at: number, by: -1 | 1): void {
      const to = at + by
      const moved = list[at]
      if (!moved || to < 0 || to >= list.length) return
      setList(list.toSpliced(at, 1).toSpliced(to, 0, moved))
      setAnnouncement(`${moved.title} is day ${to + 1}.`)
    },
    removeDay(at: number): void {
      setAnnouncement(`${list[at]?.title} was removed.`)
      setList(list.toSpliced(at, 1))
    },
  }
}

function DayList({ days: { list, announcement, move, removeDay } }: { days: ReturnType<typeof useDays> }) {
  const element = useRef<HTMLOListElement>(null)
  const minutes = list.reduce((sum, { duration }) => sum + duration, 0)
  return (
    <section aria-labelledby="days">
      <div className="section-head">
        <h2 className="title-md" id="days">
          Days <span className="meta">{lengthWords(list.length, minutes)}</span>
        </h2>
      </div>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      <ol className="days" ref={element} tabIndex={-1} aria-label="Days">
        {list.map((day, at) => (
          <li className="day" key={day.key}>
            <span className="meta num">{`Day ${at + 1}`}</span>
            <Cover title={day.title} shape="40" />
            <div className="row-words">
              <span className="title-sm">{day.title}</span>
              <span className="meta">{`${day.duration} min`}</span>
            </div>
            <span className="btn-row">
              <IconButton
                label={`Day ${at + 1} earlier`}
                icon="i-lucide-sm-arrow-up"
                disabled={at === 0}
                onPress={() => move(at, -1)}
              />
              <IconButton
                label={`Day ${at + 1} later`}
                icon="i-lucide-sm-arrow-down"
                disabled={at === list.length - 1}
                onPress={() => move(at, 1)}
              />
              <IconButton
                label={`Take out day ${at + 1}`}
                icon="i-lucide-sm-x"
                onPress={() => {
                  removeDay(at)
                  element.current?.focus()
                }}
              />
            </span>
          </li>
        ))}
        {list.length === 0 && <li className="day-slot">Day 1: choose a flow</li>}
      </ol>
    </section>
  )
}
