import { type ReactNode, Suspense, useEffect, useState } from 'react'

interface OnceOpenedProps {
  opened: boolean
  /** The dialog, open or closed. */
  children: (opened: boolean) => ReactNode
}

/** A dialog whose code is loaded when it is first opened, and which stays to be closed and opened again. */
export function OnceOpened({ opened, children }: OnceOpenedProps) {
  const [wasOpened, setWasOpened] = useState(opened)
  if (opened && !wasOpened) setWasOpened(true)
  return <Suspense>{wasOpened && <Loaded opened={opened}>{children}</Loaded>}</Suspense>
}

/** It is there closed before it opens, and so notices where the focus was that it gives back. */
function Loaded({ opened, children }: OnceOpenedProps) {
  const [isThere, setIsThere] = useState(false)
  useEffect(() => setIsThere(true), [])
  return children(opened && isThere)
}
