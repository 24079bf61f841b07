/**
 * Carries over the person's input, submitted forms and focus from a prerendered page (web/build/first-sights.ts) to the
 * app that replaces it. Inputs are matched by name, links by URL.
 */
export function watchFirstSight(sight: HTMLElement): () => void {
  let at: Element | null = sight.contains(document.activeElement) ? document.activeElement : null
  sight.addEventListener('focusin', ({ target }) => {
    at = target instanceof Element ? target : null
  })
  // Ignores a loss of focus that is caused by removing the prerendered page.
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
    // React has to process the typed text first.
    if (input instanceof HTMLInputElement) setTimeout(() => input.form?.requestSubmit())
  }
}

function counterpart(before: Element): Element | null {
  const key = before instanceof HTMLInputElement ? 'name' : 'href'
  const value = before.getAttribute(key)
  return value === null ? null : document.querySelector(`${before.localName}[${key}="${CSS.escape(value)}"]`)
}

/**
 * Types a text into an input so that React notices: sets the value with the browser's own setter, then sends the event.
 */
function type(text: string, input: Element | null): void {
  if (!(input instanceof HTMLInputElement)) return
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}
