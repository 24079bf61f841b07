import { useEffect, useState } from 'react'

/** For a dialog that is only mounted while open: when the dialog closes, returns the focus to where it was before. */
export function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // While it unmounts, the dialog still holds the focus.
      setTimeout(() => before instanceof HTMLElement && before.focus({ preventScroll: true }))
    },
    [before],
  )
}
