import { useEffect } from 'react'

/** The parts of a page that a person may be working in. */
const PARTS =
  'main, section, article, li, tr, form, fieldset, [role="region"], [role="group"], [role="dialog"]'

/**
 * Keeps a keyboard user's place when the focused element disappears or is disabled: focuses the nearest part around it
 * that is still there, and returns the focus to an element that was disabled only for a moment. If the nearest part is
 * the whole page, focuses a heading near the lost element.
 */
export function useFocusKept(): void {
  useEffect(() => {
    let timer: number | undefined
    const keep = ({ target, relatedTarget }: FocusEvent) => {
      if (relatedTarget || !(target instanceof HTMLElement)) return
      const around = [...parentsOf(target)]
      // Gives a closing dialog time to return the focus itself.
      window.clearTimeout(timer)
      timer = window.setTimeout(() => {
        // A click outside of everything has released the focus on purpose.
        if (document.activeElement !== document.body || isUsable(target)) return
        const place = around.find(isUsable)
        const nearest = place?.closest<HTMLElement>(PARTS) ?? document.querySelector('main')
        const isInPage = place && nearest?.matches('main') && place !== nearest && nearest.contains(place)
        const part = (isInPage && headingAt(place, nearest)) || nearest
        if (!part) return
        if (!part.hasAttribute('tabindex')) part.setAttribute('tabindex', '-1')
        part.focus({ preventScroll: part.matches('main') })
        if (target.isConnected) giveBack(target, part)
      }, 100)
    }
    document.addEventListener('focusout', keep)
    return () => {
      window.clearTimeout(timer)
      document.removeEventListener('focusout', keep)
    }
  }, [])
}

function* parentsOf(element: HTMLElement): Generator<HTMLElement> {
  for (let part = element.parentElement; part; part = part.parentElement) yield part
}

/** The first heading in what remains of a part of the page, or else the last heading before that part. */
const headingAt = (place: HTMLElement, main: HTMLElement) =>
  place.querySelector<HTMLElement>(HEADINGS) ??
  [...main.querySelectorAll<HTMLElement>(HEADINGS)].findLast(
    (heading) => heading.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING,
  )
const HEADINGS = 'h1, h2, h3'

const isUsable = (element: HTMLElement) =>
  element.isConnected &&
  !element.matches(':disabled') &&
  element.checkVisibility({ visibilityProperty: true })

function giveBack(target: HTMLElement, part: HTMLElement): void {
  const watch = new MutationObserver(() => {
    watch.disconnect()
    if (document.activeElement === part && isUsable(target)) target.focus()
  })
  watch.observe(target, { attributeFilter: ['disabled'] })
}
