import { useEffect, useState } from 'react'
import { mountIsland } from '#islands/runtime/mount-island'
import { useElementId } from '#src/ui/element-id'

const focused = { autoFocus: true }

/** Fields that accept what is entered, a part of it, or nothing. */
export function Probe({ label, throws = false }: { label: string; throws?: boolean }) {
  const id = useElementId()
  const [name, setName] = useState('Ada')
  const [isOn, setOn] = useState(false)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    document.body.dataset.started = label
  }, [label])
  useEffect(() => {
    if (throws) throw new Error('This effect fails.')
  }, [throws])
  return (
    <form>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        dir="auto"
        {...focused}
        value={name}
        onChange={({ target }) => setName(target.value.replace(/\d/g, ''))}
      />
      <input
        type="checkbox"
        aria-label="Accepts"
        checked={isOn}
        onChange={({ target }) => setOn(target.checked)}
      />
      <input type="checkbox" aria-label="Refuses" checked={false} onChange={() => {}} />
      <select aria-label="Stays" value="first" onChange={() => {}}>
        <option>first</option>
        <option>second</option>
      </select>
      {['one', 'two'].map((each) => (
        <input
          key={each}
          type="radio"
          name={id}
          aria-label={each}
          checked={each === 'one'}
          onChange={() => {}}
        />
      ))}
      <select aria-label="Begins" defaultValue="second">
        <option value="first">first</option>
        <option value="second">second</option>
      </select>
      <button type="button" onClick={() => setOpen(true)}>
        Open {label}
      </button>
      {isOpen && <textarea aria-label="New" dir="auto" {...focused} defaultValue="" />}
    </form>
  )
}

/** Mounts a probe in each `<nocturne-root>` of the page. Returns the label of the last whose effects have run. */
export function mountProbes(throws: boolean): string | undefined {
  for (const [at, host] of document.querySelectorAll('nocturne-root').entries())
    mountIsland(Probe, host, { label: `Name ${at}`, throws }, `probe-${at}-`)
  return document.body.dataset.started
}
