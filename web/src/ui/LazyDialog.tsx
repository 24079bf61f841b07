import { type ReactNode, Suspense, useEffect, useState } from 'react'

interface LazyDialogProps {
  opened: boolean
  /** The dialog, open or closed. */
  children: (opened: boolean) => ReactNode
}

/** A dialog whose code is loaded when it first opens. It stays mounted, so that it can fade out and open again. */
export function LazyDialog({ opened, children }: LazyDialogProps) {
  const [wasOpened, setWasOpened] = useState(opened)
  if (opened && !wasOpened) setWasOpened(true)
  return <Suspense>{wasOpened && <Mounted opened={opened}>{children}</Mounted>}</Suspense>
}

/** Mounts closed and then opens, so that the dialog knows where to return the focus. */
function Mounted({ opened, children }: LazyDialogProps) {
  const [isMounted, setIsMounted] = useState(false)
  useEffect(() => setIsMounted(true), [])
  return children(opened && isMounted)
}
