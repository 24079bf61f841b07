/**
 * What somebody has typed and sent, and where they are, on a page that was drawn ahead (`web/first-sight`): carried over to
 * the app that replaces it, by the names of the inputs and the addresses of the links.
 */
export function watchFirstSight(sight: HTMLElement): () => void {
  let at: Element | null = sight.contains(document.activeElement) ? document.activeElement : null
  sight.addEventListener('focusin', ({ target }) => {
    at = target instanceof Element ? target : null
  })
  // Left by the person, and not because the sight has gone.
  sight.addEventListener('focusout', ({ target }) =>
    queueMicrotask(() => {
      if (sight.isConnected && at === target) at = null
    }),
  )
  return () => {
    for (const input of sight.querySelectorAll<HTMLInputElement>('input[name]'))
      if (input.value !== input.defaultValue) type(input.value, counterpart(input))
    const next = at && counterpart(at)
    if (next instanceof HTMLElement && document.activeElement !== next) next.focus({ preventScroll: true })
    const sent = sight.querySelector('form[data-sent] input[name]')
    const input = sent && counterpart(sent)
    // After React has taken what was typed.
    if (input instanceof HTMLInputElement) setTimeout(() => input.form?.requestSubmit())
  }
}

function counterpart(before: Element): Element | null {
  const key = before instanceof HTMLInputElement ? 'name' : 'href'
  const value = before.getAttribute(key)
  return value === null ? null : document.querySelector(`${before.localName}[${key}="${CSS.escape(value)}"]`)
}

/** As if it had been typed here: React listens to the event, and takes the value that it did not set itself. */
function type(text: string, input: Element | null): void {
  if (!(input instanceof HTMLInputElement)) return
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}
