import { useEffect } from 'react'
import { announce } from './announce.ts'

/** When a form is refused, at once or by the server, moves to its first wrong field; if that has the focus, says what is wrong. */
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
    // Nobody who types is taken elsewhere.
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

/** What is wrong with a field, unless an alert says it already. */
function errorOf(field: Element): string {
  const [id] = field.getAttribute('aria-describedby')?.split(' ') ?? []
  const why = (id && document.getElementById(id)?.textContent) || ''
  const alerts = [...document.querySelectorAll('[role="alert"]')]
  return alerts.some(({ textContent }) => textContent?.includes(why)) ? '' : why
}
