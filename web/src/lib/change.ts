import { type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'

interface ChangeOptions<What, Done> {
  /** Does it at the backend. */
  run: (what: What) => Promise<Done>
  /** The queries that may be out of date once it is done, or refused because somebody else was faster. */
  stale?: readonly QueryKey[]
  /** Shows the change before the backend has agreed to it; gives the way back (`showAtOnce`). */
  show?: (what: What, cache: QueryClient) => Promise<() => void>
  done?: (result: Done, what: What) => void
  /** Tells the person. */
  failed: (problem: unknown, what: What) => void
  /** By which others find it while it is on its way. */
  key?: QueryKey
}

/** The one way to change something at the backend. */
export function useChange<What = void, Done = unknown>(options: ChangeOptions<What, Done>) {
  const { run, stale = [], show, done, failed, key } = options
  const cache = useQueryClient()
  return useMutation({
    ...(key && { mutationKey: key }),
    mutationFn: run,
    onMutate: (what) => show?.(what, cache),
    onSuccess: (result, what) => done?.(result, what),
    onError: (problem, what, takeBack) => {
      takeBack?.()
      failed(problem, what)
    },
    onSettled: () => Promise.all(stale.map((queryKey) => cache.invalidateQueries({ queryKey }))),
  })
}
