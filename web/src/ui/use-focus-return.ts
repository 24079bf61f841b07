import { useEffect, useState } from 'react'

/** For a dialog that is there only while it is open: the keyboard goes on where it was when the dialog closes. */
export function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // The dialog still holds the focus while it is taken away.
      setTimeout(() => before instanceof HTMLElement && before.focus({ preventScroll: true }))
    },
    [before],
  )
}
