import { useEffect } from 'react'
import { announce } from './announce.ts'

/**
 * Moves the focus to the first invalid field after a form is refused, here or by the server. If that field has the
 * focus already, announces its error.
 */
export function useFirstError(): void {
  useEffect(() => {
    let sent: EventTarget | null = null
    let soon: number | undefined
    const find = () => {
      const wrong = sent instanceof Element && sent.querySelector<HTMLElement>('[aria-invalid="true"]')
      if (!wrong) return
      if (wrong === document.activeElement) announce(errorOf(wrong))
      else wrong.focus()
    }
    const look = () => {
      window.clearTimeout(soon)
      soon = window.setTimeout(find)
    }
    const onSubmit = ({ target }: Event) => {
      sent = target
      look()
    }
    // The focus is not taken from a person who is typing.
    const onInput = () => {
      sent = null
    }
    const marks = new MutationObserver(look)
    marks.observe(document.body, { subtree: true, attributeFilter: ['aria-invalid'] })
    document.addEventListener('submit', onSubmit)
    document.addEventListener('input', onInput)
    return () => {
      window.clearTimeout(soon)
      marks.disconnect()
      document.removeEventListener('submit', onSubmit)
      document.removeEventListener('input', onInput)
    }
  }, [])
}

/** The error text of a field; empty if an alert has it already. */
function errorOf(field: Element): string {
  const [id] = field.getAttribute('aria-describedby')?.split(' ') ?? []
  const why = (id && document.getElementById(id)?.textContent) || ''
  const alerts = [...document.querySelectorAll('[role="alert"]')]
  return alerts.some(({ textContent }) => textContent?.includes(why)) ? '' : why
}
