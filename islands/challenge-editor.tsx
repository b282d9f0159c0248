import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { DeleteChallenge } from '#islands/delete-challenge'
import { emit } from '#islands/events'
import { type Flow, FlowSearch } from '#islands/flow-search'
import { failureWords, operatorCall } from '#islands/operator-call'
import { visit } from '#islands/visit'
import { lengthWords } from '#src/challenge/challenge-card'
import { daysMax, descriptionCharactersMax, nameCharactersMax } from '#src/challenge/rules'
import type { Challenge } from '#src/challenge/schema'
import { Badge } from '#src/ui/badge'
import { Button } from '#src/ui/button'
import { Cover } from '#src/ui/cover'
import { Field } from '#src/ui/field'
import { IconButton } from '#src/ui/icon-button'
import { Notice } from '#src/ui/notice'
import { TextArea } from '#src/ui/text-area'
import { urls } from '#src/urls'

type Day = Flow & { key: number }
type Props = { challenge: (Challenge & { members: number }) | null }

/** A challenge in the making: its words, its flows in the order of its days, published or not. */
export default function ChallengeEditor({ challenge }: Props) {
  const keys = useRef(0)
  const keyed = (flow: Flow): Day => {
    keys.current += 1
    return { id: flow.id, title: flow.title, duration: flow.duration, key: keys.current }
  }
  const [days, setDays] = useState<Day[]>(() => (challenge?.days ?? []).map(keyed))
  const [isPublished, setPublished] = useState(challenge?.isPublished ?? false)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const [said, setSaid] = useState('')

  const save = async (published: boolean) => {
    if (!form.current?.reportValidity()) return
    const fields = new FormData(form.current)
    setBusy(true)
    setProblem(undefined)
    try {
      const body = {
        name: String(fields.get('name')),
        description: String(fields.get('description')),
        items: days.map(({ id }) => id),
        isPublished: published,
      }
      const saved = (await operatorCall(challenge ? urls.apiChallenge(challenge.id) : urls.apiChallenges(), {
        method: challenge ? 'PUT' : 'POST',
        body,
      })) as Challenge
      setPublished(published)
      emit('nocturne:toast', {
        kind: 'good',
        title: published ? 'Challenge published' : 'Draft saved',
        description: saved.name,
      })
      await visit(urls.challengeEditor({ id: saved.id }))
    } catch (error) {
      const description = failureWords(error, 'Please try again')
      setProblem(description)
      emit('nocturne:toast', { kind: 'bad', title: 'Failed to save challenge', description })
    } finally {
      setBusy(false)
    }
  }
  const move = (at: number, by: -1 | 1) => {
    const to = at + by
    const moved = days[at]
    if (!moved || to < 0 || to >= days.length) return
    setDays(days.toSpliced(at, 1).toSpliced(to, 0, moved))
    setSaid(`${moved.title} is day ${to + 1}.`)
  }
  const takeOut = (at: number) => {
    setSaid(`${days[at]?.title} was taken out.`)
    setDays(days.toSpliced(at, 1))
    list.current?.focus()
  }
  const minutes = days.reduce((sum, { duration }) => sum + duration, 0)

  return (
    <div className="stack">
      <form
        className="panel stack"
        aria-label="Challenge"
        ref={form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void save(isPublished)
        }}
      >
        <div className="btn-row">
          {isPublished ? <Badge kind="good">Published</Badge> : <Badge kind="line">Draft</Badge>}
          {challenge && challenge.members > 0 && (
            <span className="meta">
              {challenge.members === 1
                ? '1 member is'
                : `${challenge.members.toLocaleString('en')} members are`}{' '}
              in it. Days that were completed stay so.
            </span>
          )}
        </div>
        <Field
          label="Name"
          name="name"
          defaultValue={challenge?.name}
          maxLength={nameCharactersMax}
          required
        />
        <TextArea
          label="Description"
          name="description"
          look="short"
          defaultValue={challenge?.description}
          maxLength={descriptionCharactersMax}
        />
        {problem && <Notice kind="bad">{problem}</Notice>}
        <div className="btn-row">
          <Button kind="primary" type="submit" disabled={isBusy}>
            {isBusy ? 'Saving...' : isPublished ? 'Save changes' : 'Save draft'}
          </Button>
          <Button disabled={isBusy || days.length === 0} onClick={() => void save(!isPublished)}>
            {isPublished ? 'Take back to draft' : 'Publish'}
          </Button>
        </div>
      </form>
      <div className="split split-main">
        <section aria-labelledby="days">
          <div className="section-head">
            <h2 className="title-md" id="days">
              Days <span className="meta">{lengthWords(days.length, minutes)}</span>
            </h2>
          </div>
          <p className="visually-hidden" role="status">
            {said}
          </p>
          <ol className="days" ref={list} tabIndex={-1} aria-label="Days">
            {days.map((day, at) => (
              <li className="day" key={day.key}>
                <span />
                <span className="meta num">{`Day ${at + 1}`}</span>
                <Cover title={day.title} shape="40" />
                <div className="row-words">
                  <span className="title-sm">{day.title}</span>
                  <span className="meta">{`${day.duration} min`}</span>
                </div>
                <span className="btn-row">
                  <IconButton
                    label={`Day ${at + 1} earlier`}
                    icon={ArrowUp}
                    disabled={at === 0}
                    onPress={() => move(at, -1)}
                  />
                  <IconButton
                    label={`Day ${at + 1} later`}
                    icon={ArrowDown}
                    disabled={at === days.length - 1}
                    onPress={() => move(at, 1)}
                  />
                  <IconButton label={`Take out day ${at + 1}`} icon={X} onPress={() => takeOut(at)} />
                </span>
              </li>
            ))}
            {days.length === 0 && <li className="day-slot">Day 1: choose a flow</li>}
          </ol>
        </section>
        <FlowSearch
          isFull={days.length >= daysMax}
          onAdd={(flow) => {
            setDays([...days, keyed(flow)])
            setSaid(`${flow.title} is day ${days.length + 1}.`)
          }}
        />
      </div>
      {challenge && (
        <div className="btn-row">
          <DeleteChallenge challenge={challenge} />
        </div>
      )}
    </div>
  )
}
