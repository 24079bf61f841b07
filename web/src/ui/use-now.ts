import { useInterval } from '@mantine/hooks'
import { useState } from 'react'

/** The time in ms, updated every `every` ms. */
export function useNow(every = 60_000): number {
  const [now, setNow] = useState(() => Date.now())
  useInterval(() => setNow(Date.now()), every, { autoInvoke: true })
  return now
}
