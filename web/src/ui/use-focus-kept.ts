import { useEffect } from 'react'

/** What a person is in the middle of. */
const PARTS =
  'main, section, article, li, tr, form, fieldset, [role="region"], [role="group"], [role="dialog"]'

/**
 * Whoever works with a keyboard keeps their place when what has the focus goes away or is switched off: the nearest part
 * around it that is still there takes it, and gives it back to what was only switched off while it worked.
 */
export function useFocusKept(): void {
  useEffect(() => {
    let timer: number | undefined
    const keep = ({ target, relatedTarget }: FocusEvent) => {
      if (relatedTarget || !(target instanceof HTMLElement)) return
      const around = [...parentsOf(target)]
      // A dialog that closes is given the time to give the focus back itself.
      window.clearTimeout(timer)
      timer = window.setTimeout(() => {
        // Whoever clicked beside everything has let go of it.
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
