import { options, type VNode } from 'preact'

/*
 * Browsers run the components with Preact (docs/decisions/0034-preact.md). This adds what React promises and Preact
 * leaves out, by the hooks that Preact calls. It is imported before anything is rendered.
 */

/**
 * Hooks of Preact that are not public, by their names in its build: `__b` before a node is compared with the page, `__c`
 * after a rendering, `__m` when hydration finds no element for a node.
 */
type Hooks = typeof options & {
  __b?: (vnode: VNode) => void
  __c?: (...commit: unknown[]) => void
  __m?: (vnode: VNode) => void
}
const hooks: Hooks = options
const { __b: onDiff, __c: onCommit, diffed: onDiffed, event: onEvent } = hooks

// Effects run with the rendering that they belong to, as in React after a press, so that an island listens as soon as it
// is there. After the next frame would be late, and a hidden tab, where the player goes on, has no frames.
let runEffects: (() => void) | null = null

hooks.requestAnimationFrame = (run) => {
  runEffects = run
  // For components that are only removed.
  queueMicrotask(runEffectsNow)
}

hooks.__c = (...commit) => {
  onCommit?.(...commit)
  runEffectsNow()
}

function runEffectsNow(): void {
  const run = runEffects
  runEffects = null
  try {
    run?.()
  } catch (error) {
    reportError(error)
    // The effects after the one that threw are still due. Preact would never run them, nor any later one.
    runEffects = run
    runEffectsNow()
  }
}

hooks.__m = ({ type }) =>
  reportError(new Error(`Hydration found no <${String(type)}> in the markup of the server.`))

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

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
/** The properties that each field, and whatever takes the focus, was last rendered with. */
const renderedProps = new WeakMap<Element, VNode['props']>()
/** The own properties of textareas while they are hydrated without their value. */
const textareaProps = new WeakMap<VNode, VNode['props']>()

// Preact leaves the values of fields alone on hydration, except those of textareas. What was typed before would be gone.
hooks.__b = (vnode) => {
  onDiff?.(vnode)
  if (!isHydrating || vnode.type !== 'textarea') return
  textareaProps.set(vnode, vnode.props)
  vnode.props = { ...vnode.props, ...valueOfPage }
}
const valueOfPage = { value: undefined, defaultValue: '' }

hooks.diffed = (vnode) => {
  vnode.props = textareaProps.get(vnode) ?? vnode.props
  onDiffed?.(vnode)
  const element = typeof vnode.type === 'string' ? elementOf(vnode) : null
  if (!element || !(isField(element) || 'autoFocus' in vnode.props)) return
  const isNew = !renderedProps.has(element)
  renderedProps.set(element, vnode.props)
  const doesFocus = isNew && !isHydrating && 'autoFocus' in vnode.props && vnode.props.autoFocus
  // It is not in the document yet.
  if (doesFocus) queueMicrotask(() => element.focus())
  // Resetting a form leads back to the choice that it was rendered with.
  if (isNew && !isHydrating && element instanceof HTMLSelectElement)
    for (const option of element.options) option.defaultSelected = option.selected
}

hooks.event = (given: Event) => {
  const { type, target } = given
  // The handler runs after this, and what it changes is rendered in the microtask before the second one.
  if (isField(target) && type === lastEventOf(target))
    queueMicrotask(() => queueMicrotask(() => showRendered(target)))
  return onEvent?.(given)
}

/** The last event of an entry: the handlers of earlier ones must find the field as the person has left it. */
function lastEventOf(field: Field): 'input' | 'change' {
  return field instanceof HTMLSelectElement || isBox(field) ? 'change' : 'input'
}

/** Shows what a field was rendered with, where the handler has not accepted what was entered or pressed. */
function showRendered(field: Field): void {
  if (field instanceof HTMLInputElement && isBox(field)) {
    for (const box of groupOf(field)) box.checked = shownBy(box, 'checked') ?? box.checked
  } else {
    const value = shownBy(field, 'value') ?? field.value
    if (field.value !== value) field.value = value
  }
}

function shownBy(field: Field, name: 'checked'): boolean | null
function shownBy(field: Field, name: 'value'): string | null
function shownBy(field: Field, name: 'checked' | 'value') {
  const shown: unknown = Reflect.get(renderedProps.get(field) ?? {}, name)
  return typeof shown === (name === 'checked' ? 'boolean' : 'string') ? shown : null
}

/** A box, and the others that the browser has unticked if it is a radio button. */
function groupOf(box: HTMLInputElement): HTMLInputElement[] {
  const named = box.form?.elements.namedItem(box.name)
  return named instanceof RadioNodeList
    ? [...named].filter((each) => each instanceof HTMLInputElement)
    : [box]
}

const isBox = ({ type }: Field) => type === 'checkbox' || type === 'radio'

function isField(target: EventTarget | null): target is Field {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
}

/** The element of a rendered node, by its name in Preact's build. */
function elementOf(vnode: VNode): HTMLElement | null {
  return '__e' in vnode && vnode.__e instanceof HTMLElement ? vnode.__e : null
}
