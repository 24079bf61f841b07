import { type ReactNode, Suspense, useState } from 'react'

/** A dialog whose code is loaded when it is first opened, and which stays to be closed and opened again. */
export function OnceOpened({ opened, children }: { opened: boolean; children: ReactNode }) {
  const [wasOpened, setWasOpened] = useState(opened)
  if (opened && !wasOpened) setWasOpened(true)
  return <Suspense>{wasOpened && children}</Suspense>
}
