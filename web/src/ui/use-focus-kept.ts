import { useEffect } from 'react'

/** The parts of a page that a person may be working in. */
const PARTS =
  'main, section, article, li, tr, form, fieldset, [role="region"], [role="group"], [role="dialog"]'

/**
 * Keeps a keyboard user's place when the focused element disappears or is disabled: the nearest part around it that is
 * still there takes the focus, and returns it to an element that was only disabled for a moment.
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
        const part = around.find(isUsable) ?? document.querySelector('main')
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
  for (let part = element.parentElement; part; part = part.parentElement) if (part.matches(PARTS)) yield part
}

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
