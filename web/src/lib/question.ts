import { useSyncExternalStore } from 'react'

/**
 * A question that an action asks the person before it can go on; actions that ask at the same time share one dialog.
 */
export function createQuestion<About>() {
  type Open = About & { answer: (given: boolean) => void }
  let open: Open | null = null
  let asked: Promise<boolean> | null = null
  const watchers = new Set<() => void>()
  const show = (next: Open | null) => {
    open = next
    for (const watcher of watchers) watcher()
  }
  const watch = (watcher: () => void) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  }
  const current = () => open
  return {
    /** Resolves to true if the person has given the answer, and to false if they declined. */
    ask(about: About): Promise<boolean> {
      asked ??= new Promise<boolean>((answer) => show({ ...about, answer })).finally(() => {
        asked = null
        show(null)
      })
      return asked
    },
    /** Returns the open question, and follows changes. */
    useOpen: () => useSyncExternalStore(watch, current, current),
  }
}
