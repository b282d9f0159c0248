import { options, type VNode } from 'preact'

/*
 * Browsers run the components with Preact (docs/decisions/0034-preact.md). This adds what React promises and Preact
 * leaves out, by the hooks that Preact calls. Import it before anything is rendered.
 */

let isHydrating = false

/** Runs `hydrate`, which renders over the server's markup. A field with `autoFocus` does not take the focus then. */
export function hydrating<Result>(hydrate: () => Result): Result {
  isHydrating = true
  try {
    return hydrate()
  } finally {
    isHydrating = false
  }
}

let runEffects: (() => void) | null = null
options.requestAnimationFrame = (run) => {
  runEffects = run
  // For a component that was only removed.
  queueMicrotask(runEffectsNow)
}

function runEffectsNow(): void {
  const run = runEffects
  runEffects = null
  run?.()
}

/** Hooks of Preact that are not public, by their names in its build: after a rendering, and at a missing element. */
type Hooks = typeof options & { __c?: (...commit: unknown[]) => void; __m?: (vnode: VNode) => void }

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
/** The properties that each field, and whatever takes the focus, was last rendered with. */
const renderedProps = new WeakMap<Element, VNode['props']>()

const { diffed, event } = options

options.diffed = (vnode) => {
  diffed?.(vnode)
  const element = typeof vnode.type === 'string' ? elementOf(vnode) : null
  if (!element || !(isField(element) || 'autoFocus' in vnode.props)) return
  const isNew = !renderedProps.has(element)
  renderedProps.set(element, vnode.props)
  const doesFocus = isNew && !isHydrating && 'autoFocus' in vnode.props && vnode.props.autoFocus
  if (doesFocus) queueMicrotask(() => element.focus())
}

options.event = (given: Event) => {
  const { type, target } = given
  // The handler runs after this, and what it changes is rendered in the microtask before the second one.
  if (isField(target) && type === lastEventOf(target))
    queueMicrotask(() => queueMicrotask(() => showRendered(target)))
  return event?.(given)
}

/** The last event of an entry: earlier ones must find the field as the person has left it. */
function lastEventOf(field: Field): 'input' | 'change' {
  return field instanceof HTMLSelectElement || isBox(field) ? 'change' : 'input'
}

const isBox = ({ type }: Field) => type === 'checkbox' || type === 'radio'

/** Shows what a field was rendered with, where the handler has not accepted what was entered or pressed. */
function showRendered(field: Field): void {
  const props = renderedProps.get(field) ?? {}
  if (field instanceof HTMLInputElement && isBox(field)) {
    if ('checked' in props && typeof props.checked === 'boolean') field.checked = props.checked
  } else if ('value' in props && typeof props.value === 'string' && field.value !== props.value) {
    field.value = props.value
  }
}

function isField(target: EventTarget | null): target is Field {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
}

/** The element of a rendered node. Preact's build names it so. */
function elementOf(vnode: VNode): HTMLElement | null {
  return '__e' in vnode && vnode.__e instanceof HTMLElement ? vnode.__e : null
}

const hooks: Hooks = options
const { __c: onCommit } = hooks

// Effects run with the rendering that they belong to, as React does it for presses, so that an island listens as soon as
// it is there. After the next frame would be late, and a hidden tab, where the player goes on, has no frames.
hooks.__c = (...commit) => {
  onCommit?.(...commit)
  runEffectsNow()
}

hooks.__m = ({ type }) =>
  reportError(new Error(`Hydration found no <${String(type)}> in the markup of the server.`))
